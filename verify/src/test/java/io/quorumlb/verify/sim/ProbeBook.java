package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the probes of every node really found, and what that amounts to by the test's own counting: so many of one kind
 * in a row, in the order in which they started, with nothing else between.
 */
final class ProbeBook {
    private static final int KEPT = 200;
    /** A missing result is waited for so long beyond the timeout: while later ones are there, and while not. */
    private static final Duration LATE = Duration.ofMillis(250);

    private static final Duration LOST = Duration.ofSeconds(2);

    private record Seen(long at, Optional<Health> health) {}

    private record Open(long startedAt, Optional<Boolean> success, long endedAt) {}

    private final class Line {
        private final Deque<Seen> seen = new ArrayDeque<>();
        private final SortedMap<Long, Open> open = new TreeMap<>();
        private Optional<Health> health = Optional.empty();
        private boolean last;
        private int inARow;

        void forget() {
            open.clear();
            health = Optional.empty();
            last = false;
            inARow = 0;
        }

        /** Counts results that nothing earlier is waited for; times are the node's own. */
        void settle(long now) {
            while (!open.isEmpty()) {
                Open first = open.get(open.firstKey());
                if (first == null || (first.success.isEmpty() && now < givenUpAt(first))) {
                    return;
                }
                open.remove(open.firstKey());
                first.success.ifPresent(success -> count(success, first.endedAt));
            }
        }

        private long givenUpAt(Open first) {
            boolean laterEnded = open.values().stream().anyMatch(later -> later.success.isPresent());
            return first.startedAt
                    + monitor.timeout().plus(laterEnded ? LATE : LOST).toNanos();
        }

        private void count(boolean success, long at) {
            inARow = success == last ? inARow + 1 : 1;
            last = success;
            if (inARow >= (success ? monitor.rise() : monitor.fall())) {
                health = Optional.of(success ? Health.UP : Health.DOWN);
            }
            seen.addLast(new Seen(at, health));
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

    private SortedMap<Integer, Line> lines(SimNode node) {
        return nodes.computeIfAbsent(node.id, _ -> new TreeMap<>());
    }

    /** A new life of the node's controller counts anew; what the old one found is still what it found. */
    void restarted(SimNode node) {
        lines(node).values().forEach(Line::forget);
    }

    void started(SimNode node, int member, long number) {
        lines(node)
                .computeIfAbsent(member, _ -> new Line())
                .open
                .put(number, new Open(node.now().nanos(), Optional.empty(), 0));
    }

    void ended(SimNode node, int member, long number, boolean success) {
        Line line = lines(node).get(member);
        if (line != null) {
            long now = node.now().nanos();
            line.open.computeIfPresent(number, (_, open) -> new Open(open.startedAt, Optional.of(success), now));
            line.settle(now);
        }
    }

    /** Time has passed at the node. */
    void settle(SimNode node) {
        long now = node.now().nanos();
        lines(node).values().forEach(line -> line.settle(now));
    }

    /** Returns the nodes that had found the member so at some result that is not older. */
    SortedSet<NodeId> voters(int member, Health health, Iterable<SimNode> among, Duration oldest) {
        SortedSet<NodeId> voters = new TreeSet<>();
        for (SimNode node : among) {
            Line line = lines(node).get(member);
            if (line != null && line.saw(health, node.now().nanos() - oldest.toNanos())) {
                voters.add(node.id);
            }
        }
        return voters;
    }
}
