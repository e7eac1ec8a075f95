package io.quorumlb.node.announce;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * BIRD's static protocol with the VIPs of one version of IP: {@code vips} or {@code vips6}.
 *
 * @param family which version
 * @param include file that BIRD's configuration includes in the protocol
 */
record BirdRoutes(IpFamily family, SmallFile include) {
    private static final int PROTOCOL_ROW = 1002;
    private static final int STATIC_ROW = 1009;
    private static final int MESSAGE_ROW = 1006;
    private static final int STATE_COLUMN = 3;
    private static final String UP = "up";
    private static final String DOWN = "down";
    /** What the supervisor tells BIRD when it disables the protocol because no controller has confirmed it. */
    private static final String LAPSED = "no controller confirmed the announcement";
    /** An included line that overrides the {@code disabled yes} above the include. */
    private static final String ENABLED_LINE = "disabled no;\n";

    String protocol() {
        return switch (family) {
            case IPV4 -> "vips";
            case IPV6 -> "vips6";
        };
    }

    private int hostLength() {
        return switch (family) {
            case IPV4 -> 32;
            case IPV6 -> 128;
        };
    }

    /** Returns those of the VIPs that are of this version. */
    SortedSet<IpAddress> own(SortedSet<IpAddress> vips) {
        return vips.stream().filter(vip -> vip.family() == family).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns true if BIRD holds exactly these routes, announced or not. */
    boolean held(BirdSession bird, SortedSet<IpAddress> vips) throws BirdException {
        var _ = requireState(bird);
        return bird.require("show static " + protocol()).texts(STATIC_ROW).stream()
                .map(row -> row.strip().split("\\s+", -1)[0])
                .collect(Collectors.toCollection(TreeSet::new))
                .equals(vips.stream().map(this::prefix).collect(Collectors.toCollection(TreeSet::new)));
    }

    /**
     * Writes the routes for the {@code configure} that follows. A protocol that is up stays up through it: what its
     * configuration has at start is overridden in a line that {@link #settle} takes out again, so that a restarted BIRD
     * waits for the controller's word.
     */
    void prepare(BirdSession bird, SortedSet<IpAddress> vips) throws BirdException, IOException {
        boolean up = state(bird).filter(state -> !state.equals(DOWN)).isPresent();
        include.write(up ? ENABLED_LINE + text(vips) : text(vips));
    }

    /** Leaves the routes in the file, and nothing else. */
    void settle(SortedSet<IpAddress> vips) throws IOException {
        include.ensure(text(vips));
    }

    void bringUp(BirdSession bird) throws BirdException {
        if (requireState(bird).equals(UP)) {
            return;
        }
        bird.require("enable " + protocol());
        String state = requireState(bird);
        if (!state.equals(UP)) {
            throw new BirdException(
                    "BIRD was told to announce, its protocol %s is still '%s'".formatted(protocol(), state));
        }
    }

    void bringDown(BirdSession bird) throws BirdException {
        if (requireState(bird).equals(DOWN)) {
            return;
        }
        bird.require("disable " + protocol());
        String state = requireState(bird);
        // On a busy machine it is on its way down ("flush", "stop") for a moment; the route is no longer its own.
        if (state.equals(UP)) {
            throw new BirdException(
                    "BIRD was told to withdraw, its protocol %s is still '%s'".formatted(protocol(), state));
        }
    }

    /** Returns the state column of {@code show protocols}: up, down, start or stop; empty without such a protocol. */
    Optional<String> state(BirdSession bird) throws BirdException {
        for (String row : bird.ask("show protocols " + protocol()).texts(PROTOCOL_ROW)) {
            String[] columns = row.strip().split("\\s+", -1);
            if (columns.length > STATE_COLUMN && columns[0].equals(protocol())) {
                return Optional.of(columns[STATE_COLUMN]);
            }
        }
        return Optional.empty();
    }

    boolean up(BirdSession bird) throws BirdException {
        return state(bird).filter(UP::equals).isPresent();
    }

    /** Returns true if the routes were announced until the supervisor missed the controller's confirmation. */
    boolean lapsed(BirdSession bird) throws BirdException {
        return state(bird).filter(DOWN::equals).isPresent()
                && bird.ask("show protocols all " + protocol()).texts(MESSAGE_ROW).stream()
                        .map(String::strip)
                        .anyMatch(row -> row.startsWith("Message:") && row.endsWith(LAPSED));
    }

    private String requireState(BirdSession bird) throws BirdException {
        return state(bird)
                .orElseThrow(() -> new BirdException("BIRD has no protocol '%s': its configuration must have '%s'"
                        .formatted(protocol(), declaration())));
    }

    /** Returns how BIRD's configuration declares the protocol. */
    String declaration() {
        return "protocol static " + protocol();
    }

    private String text(SortedSet<IpAddress> vips) {
        return vips.stream()
                .map(vip -> "route " + prefix(vip) + " blackhole;\n")
                .collect(Collectors.joining());
    }

    private String prefix(IpAddress vip) {
        return vip + "/" + hostLength();
    }
}
