package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Movement;
import io.quorumlb.proto.v1.MemberSlots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Says what a plan would make of the slots of a pool's members, and which listeners would notice. */
final class PlannedSlots {
    private PlannedSlots() {}

    /**
     * Returns what becomes of the slots of each member, by name; as they are if nothing would be committed.
     *
     * @param present the pool's generation; empty before the first
     * @param planned what the plan was made from
     * @param name returns the name of a member by its id
     */
    static List<MemberSlots> of(
            Optional<PoolGeneration> present, ClusterState planned, Plan plan, IntFunction<String> name) {
        SortedMap<Integer, Integer> before = slots(present);
        if (!(plan instanceof Plan.Commit commit)) {
            return listed(before, before, _ -> Movement.Share.NONE, name);
        }
        Optional<PoolGeneration> next = StateMachine.apply(planned, commit.command())
                .state()
                .generation(commit.command().poolId());
        return listed(before, slots(next), commit.movement()::of, name);
    }

    /** Returns the slots of the members of a pool that goes. */
    static List<MemberSlots> gone(Optional<PoolGeneration> present, IntFunction<String> name) {
        SortedMap<Integer, Integer> before = slots(present);
        return listed(before, new TreeMap<>(), id -> new Movement.Share(0, before.getOrDefault(id, 0), 0), name);
    }

    /** Returns the names of the listeners that reach the members of a pool. */
    static SortedSet<String> listeners(Model model, int poolId) {
        return model.listenersReaching(poolId).stream()
                .map(Listener::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedMap<Integer, Integer> slots(Optional<PoolGeneration> generation) {
        SortedMap<Integer, Integer> slots = new TreeMap<>();
        generation.ifPresent(it -> {
            it.members().forEach(member -> slots.put(member.id(), 0));
            slots.putAll(it.build().slotsByMember());
        });
        return slots;
    }

    private static List<MemberSlots> listed(
            SortedMap<Integer, Integer> before,
            SortedMap<Integer, Integer> after,
            IntFunction<Movement.Share> shares,
            IntFunction<String> name) {
        SortedSet<Integer> ids = new TreeSet<>(before.keySet());
        ids.addAll(after.keySet());
        List<MemberSlots> members = new ArrayList<>();
        for (int id : ids) {
            Movement.Share share = shares.apply(id);
            members.add(MemberSlots.newBuilder()
                    .setMember(name.apply(id))
                    .setBefore(before.getOrDefault(id, 0))
                    .setAfter(after.getOrDefault(id, 0))
                    .setGained(share.gained())
                    .setLost(share.lost())
                    .setCollateral(share.collateral())
                    .build());
        }
        members.sort(Comparator.comparing(MemberSlots::getMember));
        return members;
    }
}
