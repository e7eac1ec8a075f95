package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the probes of every node really found, and what that amounts to by the test's own counting: so many of one kind
 * in a row, with nothing else between.
 */
final class ProbeBook {
    private static final int KEPT = 200;

    private record Seen(long at, Optional<Health> health) {}

    private static final class Line {
        private final Deque<Seen> seen = new ArrayDeque<>();
        private Optional<Health> health = Optional.empty();
        private boolean last;
        private int inARow;

        void add(boolean success, long now, HealthMonitor monitor) {
            inARow = success == last ? inARow + 1 : 1;
            last = success;
            if (inARow >= (success ? monitor.rise() : monitor.fall())) {
                health = Optional.of(success ? Health.UP : Health.DOWN);
            }
            seen.addLast(new Seen(now, health));
            if (seen.size() > KEPT) {
                seen.removeFirst();
            }
        }

        boolean saw(Health wanted, long notBefore) {
            return seen.stream()
                    .anyMatch(result -> result.at >= notBefore && result.health.equals(Optional.of(wanted)));
        }
    }

    private final HealthMonitor monitor;
    private final SortedMap<NodeId, SortedMap<Integer, Line>> nodes = new TreeMap<>();

    ProbeBook(HealthMonitor monitor) {
        this.monitor = monitor;
    }

    /** A new life of the node's controller counts anew; what the old one found is still what it found. */
    void restarted(NodeId node) {
        nodes.getOrDefault(node, new TreeMap<>()).values().forEach(line -> {
            line.health = Optional.empty();
            line.inARow = 0;
            line.last = false;
        });
    }

    void result(NodeId node, int member, boolean success, long now) {
        nodes.computeIfAbsent(node, _ -> new TreeMap<>())
                .computeIfAbsent(member, _ -> new Line())
                .add(success, now, monitor);
    }

    /** Returns the nodes that had found the member so at some result that is not older. */
    SortedSet<NodeId> voters(int member, Health health, long notBefore) {
        SortedSet<NodeId> voters = new TreeSet<>();
        nodes.forEach((node, lines) -> {
            Line line = lines.get(member);
            if (line != null && line.saw(health, notBefore)) {
                voters.add(node);
            }
        });
        return voters;
    }
}
