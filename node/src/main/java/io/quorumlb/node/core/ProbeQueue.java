package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The probes of one member that have started and not been counted, by number. Probes may overlap; their results count in
 * the order in which they started, whatever the order in which they come: else a slow success between two quick failures
 * would leave these two looking consecutive.
 *
 * @param lastNumber number of the last probe started, 0 before the first
 * @param open by number
 */
record ProbeQueue(long lastNumber, SortedMap<Long, Open> open) {
    /** A result that is this late beyond the timeout is waited for no longer if later ones are there. */
    private static final Duration LATE_AFTER = Duration.ofMillis(250);

    /** A result that is this late beyond the timeout is given up, so that a lost one costs no more than a period. */
    private static final Duration LOST_AFTER = Duration.ofSeconds(2);

    static final ProbeQueue EMPTY = new ProbeQueue(0, new TreeMap<>());

    ProbeQueue {
        open = Collections.unmodifiableSortedMap(open);
    }

    /**
     * A probe that has started.
     *
     * @param start when
     * @param end what it found, once it has ended
     */
    record Open(MonotonicTime start, Optional<End> end) {}

    /**
     * The end of a probe.
     *
     * @param result what it found
     * @param at when
     * @param took time since its start
     */
    record End(ProbeResult result, MonotonicTime at, Duration took) {}

    ProbeQueue started(MonotonicTime now) {
        SortedMap<Long, Open> next = new TreeMap<>(open);
        next.put(lastNumber + 1, new Open(now, Optional.empty()));
        return new ProbeQueue(lastNumber + 1, next);
    }

    /** Notes a result; one of a probe that was given up is dropped. */
    ProbeQueue ended(long number, ProbeResult result, MonotonicTime now) {
        Open probe = open.get(number);
        if (probe == null || probe.end().isPresent()) {
            return this;
        }
        SortedMap<Long, Open> next = new TreeMap<>(open);
        next.put(number, new Open(probe.start(), Optional.of(new End(result, now, now.since(probe.start())))));
        return new ProbeQueue(lastNumber, next);
    }

    /** Returns true if the first probe has ended, or is not waited for any longer. */
    boolean settled(MonotonicTime now, HealthMonitor monitor) {
        return settles(monitor).filter(now::reached).isPresent();
    }

    /** Returns when the first probe has ended, or is not waited for any longer; empty if none is under way. */
    Optional<MonotonicTime> settles(HealthMonitor monitor) {
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Open first = open.values().iterator().next();
        boolean laterEnded = open.size() > 1
                && open.values().stream().anyMatch(later -> later.end().isPresent());
        Duration grace = laterEnded ? LATE_AFTER : LOST_AFTER;
        return first.end()
                .map(End::at)
                .or(() -> Optional.of(first.start().plus(monitor.timeout()).plus(grace)));
    }

    /** Returns what the first probe found; empty if it is lost. */
    Optional<End> first() {
        return open.values().iterator().next().end();
    }

    ProbeQueue withoutFirst() {
        SortedMap<Long, Open> next = new TreeMap<>(open);
        next.remove(next.firstKey());
        return new ProbeQueue(lastNumber, next);
    }
}
