package io.quorumlb.node.core;

import io.quorumlb.ovs.pipeline.Count;
import io.quorumlb.ovs.pipeline.Counted;
import io.quorumlb.ovs.pipeline.FlowCounters;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What the switch has counted.
 *
 * @param counters as of the last good reading
 * @param readAt when that was; empty before the first
 * @param later the newest reading that rates come from
 * @param earlier the one before it, a second or more older
 */
record CounterState(
        FlowCounters counters, Optional<MonotonicTime> readAt, Optional<Sample> later, Optional<Sample> earlier) {
    /** Readings after a change come in quick succession; rates between those would jump. */
    private static final Duration RATE_MIN = Duration.ofSeconds(1);

    private static final double NANOS_PER_SECOND = 1e9;

    /** What was counted at a moment. */
    record Sample(SortedMap<Counted, Count> totals, MonotonicTime at) {}

    static CounterState none() {
        return new CounterState(FlowCounters.none(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    CounterState read(FlowCounters next, MonotonicTime now) {
        boolean due = later.filter(sample -> now.since(sample.at).compareTo(RATE_MIN) < 0)
                .isEmpty();
        return due
                ? new CounterState(next, Optional.of(now), Optional.of(new Sample(next.totals(), now)), later)
                : new CounterState(next, Optional.of(now), later, earlier);
    }

    /** Returns what was counted as something, and its rate; one that is new has no rate yet. */
    Rated rated(Counted counted) {
        Count total = counters.totals().getOrDefault(counted, Count.ZERO);
        Optional<Count> before = earlier.map(sample -> sample.totals.get(counted));
        Optional<Count> after = later.map(sample -> sample.totals.get(counted));
        if (before.isEmpty() || after.isEmpty()) {
            return new Rated(total, 0, 0);
        }
        double seconds = later.get().at.since(earlier.get().at).toNanos() / NANOS_PER_SECOND;
        Count grown = after.get().since(before.get());
        return new Rated(total, rate(grown.packets(), seconds), rate(grown.bytes(), seconds));
    }

    /** What was forgotten in between begins anew. */
    private static double rate(long grown, double seconds) {
        return Math.max(0, grown) / seconds;
    }
}
