package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.plan.Planner;
import io.quorumlb.consensus.plan.PoolView;
import io.quorumlb.consensus.plan.Verdict;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What would follow for pools from a configuration that is not committed, by the planner that would plan it then. Members
 * that are new in it are taken for healthy: what they are is not known, and that they serve is what they are for.
 */
public final class Foresight {
    private final NodeState state;
    private final ClusterState next;
    private final MonotonicTime now;
    private final Observations observations;

    Foresight(NodeState state, ClusterState next, MonotonicTime now) {
        this.state = state;
        this.next = next;
        this.now = now;
        this.observations = new Observations(state, now);
    }

    /** Returns what this node would do about the pool if it led. */
    public Plan plan(Pool pool) {
        return Planner.plan(next, pool, view(pool));
    }

    /** Returns what this node would do about the pool if an operator had overridden every guard. */
    public Plan unguarded(Pool pool) {
        SortedSet<Guard> all = new TreeSet<>(List.of(Guard.values()));
        var override = new GuardOverride(all, next.generationNumber(pool.id()));
        return Planner.plan(next, pool.withOverride(override), view(pool));
    }

    /** Nothing is too soon: it would not be committed at this very moment. */
    private PoolView view(Pool pool) {
        PoolView known = Remembering.view(state, next, pool, observations, now);
        SortedMap<Integer, Verdict> verdicts = new TreeMap<>(known.verdicts());
        SortedMap<Integer, Member> present = state.cluster().model().members();
        verdicts.replaceAll((member, verdict) -> present.containsKey(member)
                ? verdict
                : new Verdict.Up(state.settings().majority()));
        return new PoolView(
                verdicts,
                known.disputed(),
                known.young(),
                known.lastSeenDown(),
                known.flapping(),
                known.recentlyDown(),
                PoolView.Moment.FREE);
    }
}
