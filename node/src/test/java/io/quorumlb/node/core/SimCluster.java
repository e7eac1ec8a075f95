package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** The site's nodes on one virtual clock. */
final class SimCluster {
    private static final Duration TICK = Duration.ofMillis(20);

    final FakeLog log = new FakeLog();

    /** Links that carry no gossip, written {@code n1-n2}, smaller name first. */
    final SortedSet<String> cut = new TreeSet<>();

    private final SortedMap<NodeId, NodeDriver> nodes = new TreeMap<>();
    private MonotonicTime now = new MonotonicTime(7_000_000_000L);
    private long incarnation;

    /** Starts the nodes of the site; nothing is configured and nobody leads. */
    static SimCluster started() {
        var cluster = new SimCluster();
        Site.NODES.forEach(id -> cluster.start(id, new FakeSwitch(Site.PORTS)));
        return cluster;
    }

    /** Returns the configured site with all members up, converged, led by n1; effects so far are forgotten. */
    static SimCluster converged() {
        var cluster = started();
        Site.configure(cluster.log);
        cluster.log.elect(Site.N1);
        cluster.until(
                () -> cluster.proven(Site.FOUR_UP, Site.N1, Site.N2, Site.N3)
                        && cluster.nodes().stream()
                                .allMatch(node -> node.report().announced()),
                Duration.ofSeconds(5));
        cluster.run(Duration.ofSeconds(1));
        cluster.forget();
        return cluster;
    }

    private void start(NodeId id, FakeSwitch ovs) {
        incarnation++;
        var driver = new NodeDriver(id, incarnation, ovs, log, now);
        driver.gossip = (to, message) -> {
            if (!cut.contains(link(id, to))) {
                node(to).deliver(new NodeEvent.GossipReceived(id, message));
            }
        };
        nodes.put(id, driver);
    }

    private static String link(NodeId one, NodeId other) {
        return one.compareTo(other) < 0 ? one + "-" + other : other + "-" + one;
    }

    /** Starts the controllers again; switches and log stay. */
    void restartControllers(NodeId... ids) {
        for (NodeId id : ids) {
            start(id, node(id).ovs);
        }
    }

    NodeDriver node(NodeId id) {
        return Optional.ofNullable(nodes.get(id)).orElseThrow();
    }

    List<NodeDriver> nodes() {
        return new ArrayList<>(nodes.values());
    }

    MonotonicTime now() {
        return now;
    }

    void forget() {
        nodes.values().forEach(NodeDriver::forget);
    }

    void tick(Duration step) {
        now = now.plus(step);
        nodes.values().forEach(node -> node.step(now));
    }

    void run(Duration time) {
        MonotonicTime end = now.plus(time);
        while (!now.reached(end)) {
            tick(TICK);
        }
    }

    /** Runs until the condition holds and returns how long that took; fails after the limit. */
    Duration until(BooleanSupplier condition, Duration limit) {
        MonotonicTime start = now;
        while (!condition.getAsBoolean()) {
            if (now.since(start).compareTo(limit) > 0) {
                throw new AssertionError("does not hold after %s: %s"
                        .formatted(
                                limit,
                                nodes.values().stream()
                                        .map(node -> node.self + " " + node.report())
                                        .toList()));
            }
            tick(TICK);
        }
        return now.since(start);
    }

    /** Returns true if each of the nodes has proven a generation with this digest. */
    boolean proven(String digest, NodeId... ids) {
        for (NodeId id : ids) {
            boolean proven = node(id).report().pools().stream()
                    .anyMatch(pool -> pool.state() == InstallState.CONVERGED
                            && pool.installed().map(Object::toString).equals(Optional.of(digest)));
            if (!proven) {
                return false;
            }
        }
        return true;
    }

    /** Makes a member answer nobody, or everybody again. */
    void answers(int member, boolean yes) {
        nodes.values().forEach(node -> {
            if (yes) {
                node.answering.add(member);
            } else {
                node.answering.remove(member);
            }
        });
    }

    /** Makes a member take every connection and answer none, or answer again. */
    void silent(int member, boolean yes) {
        nodes.values().forEach(node -> {
            if (yes) {
                node.silent.add(member);
            } else {
                node.silent.remove(member);
            }
        });
    }

    void admin(String member, AdminState state) {
        log.operator(new Command.SetMemberAdmin("web", member, state));
    }

    long generation() {
        return log.state().generationNumber(Site.WEB);
    }
}
