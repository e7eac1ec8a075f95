package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.node.core.Foresight;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.wire.ReportCodec;
import io.quorumlb.proto.v1.MemberSlots;
import io.quorumlb.proto.v1.PoolChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
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
        SortedMap<Integer, Integer> slotsBefore = slots(old.flatMap(pool -> before.generation(pool.id())));
        SortedMap<Integer, Integer> slotsAfter = new TreeMap<>();
        if (next.isPresent()) {
            Plan plan = foresight.plan(next.get());
            change.addAllHolds(plan.holds().stream().map(ReportCodec::toWire).toList());
            if (plan instanceof Plan.Commit commit) {
                change.setNext(GuardAnswers.toWire(commit));
            }
            if (foresight.unguarded(next.get()) instanceof Plan.Commit commit) {
                change.setUnguarded(GuardAnswers.toWire(commit));
                slotsAfter.putAll(slots(StateMachine.apply(after, commit.command())
                        .state()
                        .generation(next.get().id())));
            } else {
                slotsAfter.putAll(slotsBefore);
            }
        }
        return change.addAllMembers(members(slotsBefore, slotsAfter))
                .addAllListeners(listeners(old, next))
                .build();
    }

    private static SortedMap<Integer, Integer> slots(Optional<PoolGeneration> generation) {
        SortedMap<Integer, Integer> slots = new TreeMap<>();
        generation.ifPresent(it -> {
            it.members().forEach(member -> slots.put(member.id(), 0));
            slots.putAll(it.build().slotsByMember());
        });
        return slots;
    }

    private List<MemberSlots> members(SortedMap<Integer, Integer> slotsBefore, SortedMap<Integer, Integer> slotsAfter) {
        SortedSet<Integer> ids = new TreeSet<>(slotsBefore.keySet());
        ids.addAll(slotsAfter.keySet());
        List<MemberSlots> members = new ArrayList<>();
        ids.forEach(id -> members.add(MemberSlots.newBuilder()
                .setMember(name(id))
                .setBefore(slotsBefore.getOrDefault(id, 0))
                .setAfter(slotsAfter.getOrDefault(id, 0))
                .build()));
        members.sort(Comparator.comparing(MemberSlots::getMember));
        return members;
    }

    private String name(int id) {
        return Optional.ofNullable(after.model().members().get(id))
                .or(() -> Optional.ofNullable(before.model().members().get(id)))
                .map(Member::name)
                .orElseGet(() -> Integer.toString(id));
    }

    private SortedSet<String> listeners(Optional<Pool> old, Optional<Pool> next) {
        SortedSet<String> names = new TreeSet<>();
        old.ifPresent(pool -> names.addAll(reaching(before.model(), pool)));
        next.ifPresent(pool -> names.addAll(reaching(after.model(), pool)));
        return names;
    }

    private static List<String> reaching(Model model, Pool pool) {
        return model.listenersReaching(pool.id()).stream().map(Listener::name).toList();
    }
}
