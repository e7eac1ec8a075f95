package io.quorumlb.node.announce;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Announces VIPs through BIRD 2, over its control socket.
 *
 * <p>BIRD's configuration has {@code protocol static vips}, and {@code vips6} for IPv6, whose routes come from an
 * include file each that this class writes. Nothing is remembered between calls: each compares what is asked for with
 * what BIRD says.
 */
public final class BirdAnnouncer implements Announcer {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final Path socket;
    private final List<BirdRoutes> protocols;
    private final Lease lease;

    /**
     * Makes an announcer; nothing is opened yet.
     *
     * @param socket BIRD's control socket
     * @param includes file that BIRD's configuration includes in the static protocol of a version of IP
     * @param lease file that is rewritten with a growing number at each confirmed announcement
     */
    public BirdAnnouncer(Path socket, SortedMap<IpFamily, Path> includes, Path lease) {
        this.socket = socket;
        List<BirdRoutes> found = new ArrayList<>();
        includes.forEach((family, include) -> found.add(new BirdRoutes(family, new SmallFile(include))));
        this.protocols = List.copyOf(found);
        this.lease = new Lease(new SmallFile(lease));
    }

    @Override
    public AnnounceResult announce(SortedSet<IpAddress> vips) {
        if (vips.isEmpty()) {
            return withdraw();
        }
        SortedSet<IpAddress> strange = new TreeSet<>(vips);
        protocols.forEach(protocol -> strange.removeAll(protocol.own(vips)));
        if (!strange.isEmpty()) {
            return new AnnounceResult(
                    false,
                    "VIP %s cannot be announced: no file for routes of its version of IP is configured"
                            .formatted(strange.first()));
        }
        try (BirdSession bird = BirdSession.open(socket, LIMIT)) {
            bring(bird, vips);
        } catch (BirdException e) {
            return new AnnounceResult(false, e.getMessage());
        } catch (IOException e) {
            return new AnnounceResult(
                    false,
                    "routes cannot be written (%s): check the directory and its permissions".formatted(e.getMessage()));
        }
        return confirmed();
    }

    private AnnounceResult confirmed() {
        try {
            lease.renew();
            return new AnnounceResult(true, "");
        } catch (IOException e) {
            return new AnnounceResult(
                    true,
                    "file %s cannot be written (%s): check the directory and its permissions; the supervisor will withdraw the VIPs"
                            .formatted(lease.file().path(), e.getMessage()));
        }
    }

    @Override
    public AnnounceResult keep() {
        try (BirdSession bird = BirdSession.open(socket, LIMIT)) {
            boolean up = false;
            for (BirdRoutes protocol : protocols) {
                up |= protocol.up(bird);
            }
            return up ? confirmed() : new AnnounceResult(false, "");
        } catch (BirdException e) {
            return new AnnounceResult(false, e.getMessage());
        }
    }

    @Override
    public AnnounceResult restore() {
        try (BirdSession bird = BirdSession.open(socket, LIMIT)) {
            for (BirdRoutes protocol : protocols) {
                if (protocol.lapsed(bird)) {
                    protocol.bringUp(bird);
                }
            }
        } catch (BirdException e) {
            return new AnnounceResult(false, e.getMessage());
        }
        return keep();
    }

    @Override
    public AnnounceResult withdraw() {
        try (BirdSession bird = BirdSession.open(socket, LIMIT)) {
            for (BirdRoutes protocol : protocols) {
                protocol.bringDown(bird);
            }
            return new AnnounceResult(false, "");
        } catch (BirdException e) {
            return new AnnounceResult(false, e.getMessage() + "; routes it may still announce could not be withdrawn");
        }
    }

    private void bring(BirdSession bird, SortedSet<IpAddress> vips) throws BirdException, IOException {
        boolean differs = false;
        for (BirdRoutes protocol : protocols) {
            SortedSet<IpAddress> own = protocol.own(vips);
            if (!own.isEmpty()) {
                differs |= !protocol.held(bird, own);
            } else if (protocol.state(bird).isPresent()) {
                protocol.bringDown(bird);
            }
        }
        if (differs) {
            configure(bird, vips);
        }
        for (BirdRoutes protocol : protocols) {
            SortedSet<IpAddress> own = protocol.own(vips);
            // Also where nothing is announced: a later `configure` may enable what is down.
            protocol.settle(own);
            if (!own.isEmpty()) {
                protocol.bringUp(bird);
            }
        }
    }

    private void configure(BirdSession bird, SortedSet<IpAddress> vips) throws BirdException, IOException {
        try {
            for (BirdRoutes protocol : protocols) {
                protocol.prepare(bird, protocol.own(vips));
            }
            bird.require("configure");
        } finally {
            for (BirdRoutes protocol : protocols) {
                protocol.settle(protocol.own(vips));
            }
        }
        for (BirdRoutes protocol : protocols) {
            SortedSet<IpAddress> own = protocol.own(vips);
            if (!own.isEmpty() && !protocol.held(bird, own)) {
                throw new BirdException(
                        "BIRD has not taken over the VIPs yet: its configuration must include %s in '%s'"
                                .formatted(protocol.include().path(), protocol.declaration()));
            }
        }
    }
}
