package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.plan.Hold;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.plan.PoolView;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node remembers of one pool.
 *
 * @param freshSince since when it has heard fresh observations of a majority of voters without a gap
 * @param generationAt when it applied the last generation
 * @param fallen members that a generation took down by health, with the time
 * @param massFailureAt when this node last held a mass failure back as the leader
 * @param holds what this node holds back as the leader
 * @param planned the last plan and what it was made from
 * @param appliedAt when it applied which generation, as far as it was there; as many as are kept
 */
record PoolTrack(
        Optional<MonotonicTime> freshSince,
        Optional<MonotonicTime> generationAt,
        SortedMap<Integer, Fallen> fallen,
        Optional<MonotonicTime> massFailureAt,
        List<Hold> holds,
        Optional<Planned> planned,
        SortedMap<Long, MonotonicTime> appliedAt) {
    /** Remembers nothing. */
    static final PoolTrack NONE = new PoolTrack(
            Optional.empty(),
            Optional.empty(),
            new TreeMap<>(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            new TreeMap<>());

    /**
     * A member that went down.
     *
     * @param weight effective weight before
     * @param at when this node applied that
     */
    record Fallen(int weight, MonotonicTime at) {}

    /**
     * A plan.
     *
     * @param revision of the configuration
     * @param generation number of the current one
     * @param view what was known
     * @param plan what followed
     */
    record Planned(long revision, long generation, PoolView view, Plan plan) {
        private boolean restless() {
            return view.moment() != PoolView.Moment.FREE
                    || !view.disputed().isEmpty()
                    || !view.young().isEmpty()
                    || !view.flapping().isEmpty()
                    || !plan.holds().isEmpty()
                    || plan instanceof Plan.Commit;
        }
    }

    PoolTrack {
        fallen = Collections.unmodifiableSortedMap(new TreeMap<>(fallen));
        holds = List.copyOf(holds);
        appliedAt = Collections.unmodifiableSortedMap(appliedAt);
    }

    /** Returns true if time alone may change what is planned for the pool. */
    boolean restless(boolean leads) {
        return !fallen.isEmpty()
                || !holds.isEmpty()
                || (leads && planned.map(Planned::restless).orElse(true));
    }

    /** Forgets what fell longer ago than anybody asks for; the same track if there is nothing of that. */
    PoolTrack withFallenSince(MonotonicTime now, Duration window) {
        SortedMap<Integer, Fallen> kept = new TreeMap<>(fallen);
        kept.values().removeIf(fall -> now.since(fall.at()).compareTo(window) > 0);
        return kept.size() == fallen.size()
                ? this
                : new PoolTrack(freshSince, generationAt, kept, massFailureAt, holds, planned, appliedAt);
    }

    PoolTrack withFresh(Optional<MonotonicTime> since) {
        return new PoolTrack(since, generationAt, fallen, massFailureAt, holds, planned, appliedAt);
    }

    /**
     * Returns the track after another generation.
     *
     * @param number of the generation; empty if it came before this node was there
     */
    PoolTrack withGeneration(MonotonicTime at, Optional<Long> number, SortedMap<Integer, Fallen> nowFallen) {
        SortedMap<Long, MonotonicTime> applied = new TreeMap<>(appliedAt);
        number.ifPresent(it -> applied.put(it, at));
        if (applied.size() > ClusterState.HISTORY_MAX) {
            applied.remove(applied.firstKey());
        }
        return new PoolTrack(freshSince, Optional.of(at), nowFallen, massFailureAt, holds, planned, applied);
    }

    PoolTrack withPlan(Optional<Planned> other, List<Hold> held) {
        return new PoolTrack(freshSince, generationAt, fallen, massFailureAt, held, other, appliedAt);
    }

    PoolTrack withMassFailure(MonotonicTime at) {
        return new PoolTrack(freshSince, generationAt, fallen, Optional.of(at), holds, planned, appliedAt);
    }
}
