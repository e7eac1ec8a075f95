package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.node.core.Foresight;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.wire.ReportCodec;
import io.quorumlb.proto.v1.PoolChange;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Says what a change of the configuration would make of pools' tables. */
final class PoolChanges {
    private final ClusterState before;
    private final ClusterState after;
    private final Foresight foresight;

    PoolChanges(NodeState state, ClusterState after, MonotonicTime now) {
        this.before = state.cluster();
        this.after = after;
        this.foresight = state.foresight(after, now);
    }

    /** Returns what would become of the pool with the name. */
    PoolChange of(String name) {
        var change = PoolChange.newBuilder().setPool(name);
        Optional<Pool> old = before.model().pool(name);
        Optional<Pool> next = after.model().pool(name);
        old.ifPresent(pool -> change.setGeneration(before.generationNumber(pool.id())));
        Optional<PoolGeneration> present = old.flatMap(pool -> before.generation(pool.id()));
        if (next.isPresent()) {
            Plan plan = foresight.plan(next.get());
            change.addAllHolds(plan.holds().stream().map(ReportCodec::toWire).toList());
            if (plan instanceof Plan.Commit commit) {
                change.setNext(GuardAnswers.toWire(commit));
            }
            Plan unguarded = foresight.unguarded(next.get());
            if (unguarded instanceof Plan.Commit commit) {
                change.setUnguarded(GuardAnswers.toWire(commit));
            }
            change.addAllMembers(PlannedSlots.of(present, after, unguarded, this::name));
        } else {
            change.addAllMembers(PlannedSlots.gone(present, this::name));
        }
        return change.addAllListeners(listeners(old, next)).build();
    }

    private String name(int id) {
        return Optional.ofNullable(after.model().members().get(id))
                .or(() -> Optional.ofNullable(before.model().members().get(id)))
                .map(Member::name)
                .orElseGet(() -> Integer.toString(id));
    }

    private SortedSet<String> listeners(Optional<Pool> old, Optional<Pool> next) {
        SortedSet<String> names = new TreeSet<>();
        old.ifPresent(pool -> names.addAll(PlannedSlots.listeners(before.model(), pool.id())));
        next.ifPresent(pool -> names.addAll(PlannedSlots.listeners(after.model(), pool.id())));
        return names;
    }
}
