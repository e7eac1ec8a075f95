package io.quorumlb.node.core;

import io.quorumlb.consensus.plan.Hold;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.plan.PoolView;
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
 */
record PoolTrack(
        Optional<MonotonicTime> freshSince,
        Optional<MonotonicTime> generationAt,
        SortedMap<Integer, Fallen> fallen,
        Optional<MonotonicTime> massFailureAt,
        List<Hold> holds,
        Optional<Planned> planned) {
    /** Remembers nothing. */
    static final PoolTrack NONE = new PoolTrack(
            Optional.empty(), Optional.empty(), new TreeMap<>(), Optional.empty(), List.of(), Optional.empty());

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
    record Planned(long revision, long generation, PoolView view, Plan plan) {}

    PoolTrack {
        fallen = Collections.unmodifiableSortedMap(new TreeMap<>(fallen));
        holds = List.copyOf(holds);
    }

    PoolTrack withFresh(Optional<MonotonicTime> since) {
        return new PoolTrack(since, generationAt, fallen, massFailureAt, holds, planned);
    }

    PoolTrack withGeneration(MonotonicTime at, SortedMap<Integer, Fallen> nowFallen) {
        return new PoolTrack(freshSince, Optional.of(at), nowFallen, massFailureAt, holds, planned);
    }

    PoolTrack withPlan(Optional<Planned> other, List<Hold> held) {
        return new PoolTrack(freshSince, generationAt, fallen, massFailureAt, held, other);
    }

    PoolTrack withMassFailure(MonotonicTime at) {
        return new PoolTrack(freshSince, generationAt, fallen, Optional.of(at), holds, planned);
    }
}
