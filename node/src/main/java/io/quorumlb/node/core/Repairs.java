package io.quorumlb.node.core;

import io.quorumlb.ovs.flow.FlowDifference;
import io.quorumlb.ovs.flow.FlowKey;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What others did to our flows and was put right, and how soon the next repair may be made: some at once, then one every
 * {@link #ONE_PER}. Who does the same again and again fights us.
 *
 * @param counts repairs since the start
 * @param left repairs that may be made at once, 0..{@link #AT_ONCE_MAX}
 * @param countedFrom when {@code left} was counted last
 * @param window how often each flow was put right since the window began; at most {@link #KEYS_MAX}
 * @param windowFrom when the window began
 * @param contested which flow is fought over, while somebody fights us
 * @param lastRepair when the last repair was made
 * @param lastFound what it put right, for people; empty before the first
 */
record Repairs(
        RepairCounts counts,
        int left,
        MonotonicTime countedFrom,
        SortedMap<FlowKey, Integer> window,
        MonotonicTime windowFrom,
        Optional<FlowKey> contested,
        MonotonicTime lastRepair,
        String lastFound) {
    static final int AT_ONCE_MAX = 10;
    static final Duration ONE_PER = Duration.ofSeconds(2);
    /** One accident is no fight, nor are two. */
    static final int SAME_FLOW_MAX = 3;

    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int KEYS_MAX = 256;
    private static final int SHOWN_MAX = 3;

    Repairs {
        window = Collections.unmodifiableSortedMap(new TreeMap<>(window));
    }

    static Repairs none(MonotonicTime now) {
        return new Repairs(RepairCounts.NONE, AT_ONCE_MAX, now, new TreeMap<>(), now, Optional.empty(), now, "");
    }

    /** Returns when the next repair may be made: now, or later. */
    MonotonicTime nextAt(MonotonicTime now) {
        return refilled(now).left > 0 ? now : countedFrom.plus(ONE_PER);
    }

    /** Returns this after a repair, which {@link #nextAt} allowed. */
    Repairs made(List<FlowDifference> found, MonotonicTime now) {
        Repairs full = refilled(now);
        boolean anew = now.since(windowFrom).compareTo(WINDOW) > 0;
        SortedMap<FlowKey, Integer> seen = anew ? new TreeMap<>() : new TreeMap<>(window);
        Optional<FlowKey> fought = contested;
        for (FlowDifference difference : found) {
            FlowKey key = difference.key();
            if (seen.containsKey(key) || seen.size() < KEYS_MAX) {
                int times = seen.merge(key, 1, Integer::sum);
                if (times >= SAME_FLOW_MAX && fought.isEmpty()) {
                    fought = Optional.of(key);
                }
            }
        }
        if (full.left == 1 && fought.isEmpty() && !found.isEmpty()) {
            fought = Optional.of(found.getFirst().key());
        }
        return new Repairs(
                counts.plus(found),
                full.left - 1,
                full.countedFrom,
                seen,
                anew ? now : windowFrom,
                fought,
                now,
                shown(found));
    }

    /** Returns true if there was a fight and nothing had to be put right for a while. */
    boolean isOver(MonotonicTime now) {
        return contested.isPresent() && now.since(lastRepair).compareTo(WINDOW) > 0;
    }

    /** Returns this without a fight. */
    Repairs calmed(MonotonicTime now) {
        return new Repairs(counts, left, countedFrom, new TreeMap<>(), now, Optional.empty(), lastRepair, lastFound);
    }

    private Repairs refilled(MonotonicTime now) {
        long periods = now.since(countedFrom).dividedBy(ONE_PER);
        if (periods == 0) {
            return this;
        }
        int more = (int) Math.min(AT_ONCE_MAX, left + periods);
        MonotonicTime from = more == AT_ONCE_MAX ? now : countedFrom.plus(ONE_PER.multipliedBy(periods));
        return new Repairs(counts, more, from, window, windowFrom, contested, lastRepair, lastFound);
    }

    /** Returns the first of the differences, for people. */
    static String shown(List<FlowDifference> found) {
        String first =
                found.stream().limit(SHOWN_MAX).map(FlowDifference::toString).collect(Collectors.joining("; "));
        return found.size() > SHOWN_MAX ? first + "; ..." : first;
    }
}
