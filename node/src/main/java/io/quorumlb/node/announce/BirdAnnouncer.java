package io.quorumlb.node.announce;

import io.quorumlb.maglev.Ipv4Address;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Announces VIPs through BIRD 2, over its control socket.
 *
 * <p>BIRD's configuration has {@code protocol static vips}, disabled at start, whose routes come from an include file
 * that this class writes. Nothing is remembered between calls: each compares what is asked for with what BIRD says.
 */
public final class BirdAnnouncer implements Announcer {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final String PROTOCOL = "vips";
    private static final int PROTOCOL_ROW = 1002;
    private static final int STATIC_ROW = 1009;
    private static final int STATE_COLUMN = 3;
    private static final String UP = "up";
    private static final String DOWN = "down";
    /** An included line that overrides the {@code disabled yes} above the include. */
    private static final String ENABLED_LINE = "disabled no;\n";

    private final Path socket;
    private final SmallFile include;
    private final Lease lease;

    /**
     * Makes an announcer; nothing is opened yet.
     *
     * @param socket BIRD's control socket
     * @param include file that BIRD's configuration includes in {@code protocol static vips}
     * @param lease file that is rewritten with a growing number at each confirmed announcement
     */
    public BirdAnnouncer(Path socket, Path include, Path lease) {
        this.socket = socket;
        this.include = new SmallFile(include);
        this.lease = new Lease(new SmallFile(lease));
    }

    @Override
    public AnnounceResult announce(SortedSet<Ipv4Address> vips) {
        if (vips.isEmpty()) {
            return withdraw();
        }
        try (BirdSession bird = BirdSession.open(socket, LIMIT)) {
            bringRoutes(bird, vips);
            bringUp(bird);
        } catch (BirdException e) {
            return new AnnounceResult(false, e.getMessage());
        } catch (IOException e) {
            return new AnnounceResult(false, unwritable(include, e));
        }
        return confirmed();
    }

    private AnnounceResult confirmed() {
        try {
            lease.renew();
            return new AnnounceResult(true, "");
        } catch (IOException e) {
            return new AnnounceResult(true, unwritable(lease.file(), e) + "; the supervisor will withdraw the VIPs");
        }
    }

    @Override
    public AnnounceResult keep() {
        try (BirdSession bird = BirdSession.open(socket, LIMIT)) {
            return state(bird).equals(UP) ? confirmed() : new AnnounceResult(false, "");
        } catch (BirdException e) {
            return new AnnounceResult(false, e.getMessage());
        }
    }

    @Override
    public AnnounceResult withdraw() {
        try (BirdSession bird = BirdSession.open(socket, LIMIT)) {
            if (!state(bird).equals(DOWN)) {
                bird.require("disable " + PROTOCOL);
                String state = state(bird);
                if (!state.equals(DOWN)) {
                    return new AnnounceResult(
                            false,
                            "BIRD was told to withdraw, its protocol %s is still '%s'".formatted(PROTOCOL, state));
                }
            }
            return new AnnounceResult(false, "");
        } catch (BirdException e) {
            return new AnnounceResult(false, e.getMessage() + "; routes it may still announce could not be withdrawn");
        }
    }

    /** Has BIRD hold exactly these routes, announced or not. */
    private void bringRoutes(BirdSession bird, SortedSet<Ipv4Address> vips) throws BirdException, IOException {
        boolean down = state(bird).equals(DOWN);
        String routes =
                vips.stream().map(vip -> "route " + vip + "/32 blackhole;\n").collect(Collectors.joining());
        if (!routes(bird).equals(texts(vips))) {
            // A plain `configure` would disable a running protocol, because that is how its configuration has it at
            // start, and take every VIP away for a moment. The line lives in the file only while BIRD reads it, so
            // that a restarted BIRD still waits for the controller's word.
            include.write(down ? routes : ENABLED_LINE + routes);
            try {
                bird.require("configure");
            } finally {
                include.write(routes);
            }
            if (!routes(bird).equals(texts(vips))) {
                throw new BirdException(
                        "BIRD has not taken over the VIPs yet: its configuration must include %s in 'protocol static %s'"
                                .formatted(include.path(), PROTOCOL));
            }
        }
        include.ensure(routes);
    }

    private static void bringUp(BirdSession bird) throws BirdException {
        if (state(bird).equals(UP)) {
            return;
        }
        bird.require("enable " + PROTOCOL);
        String state = state(bird);
        if (!state.equals(UP)) {
            throw new BirdException(
                    "BIRD was told to announce, its protocol %s is still '%s'".formatted(PROTOCOL, state));
        }
    }

    /** Returns the state column of {@code show protocols vips}: up, down, start or stop. */
    private static String state(BirdSession bird) throws BirdException {
        BirdReply reply = bird.ask("show protocols " + PROTOCOL);
        for (String row : reply.texts(PROTOCOL_ROW)) {
            String[] columns = row.strip().split("\\s+", -1);
            if (columns.length > STATE_COLUMN && columns[0].equals(PROTOCOL)) {
                return columns[STATE_COLUMN];
            }
        }
        throw new BirdException("BIRD has no protocol '%s' (%s): its configuration must have 'protocol static %s'"
                .formatted(PROTOCOL, reply.summary(), PROTOCOL));
    }

    /** Returns the prefixes that the protocol is configured with, whether it is up or not. */
    private static SortedSet<String> routes(BirdSession bird) throws BirdException {
        return bird.require("show static " + PROTOCOL).texts(STATIC_ROW).stream()
                .map(row -> row.strip().split("\\s+", -1)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> texts(SortedSet<Ipv4Address> vips) {
        return vips.stream().map(vip -> vip + "/32").collect(Collectors.toCollection(TreeSet::new));
    }

    private static String unwritable(SmallFile file, IOException e) {
        return "file %s cannot be written (%s): check the directory and its permissions"
                .formatted(file.path(), e.getMessage());
    }
}
