package io.quorumlb.node.api;

import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Movement;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.proto.v1.DiffGenerationsRequest;
import io.quorumlb.proto.v1.DiffGenerationsResponse;
import io.quorumlb.proto.v1.MemberDifference;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** Says what differs between two generations of a pool. */
final class GenerationDiff {
    private GenerationDiff() {}

    /**
     * Returns the difference.
     *
     * @throws io.grpc.StatusRuntimeException with NOT_FOUND if there is no such pool, or one of the generations is not kept
     */
    static DiffGenerationsResponse of(NodeState state, DiffGenerationsRequest request) {
        Pool pool = Listings.pool(state, "pool", Commands.named("pool", request.getPool()));
        List<PoolGeneration> kept = state.cluster().history().getOrDefault(pool.id(), List.of());
        PoolGeneration before = generation(kept, pool, "from", request.getFrom());
        PoolGeneration after = generation(kept, pool, "to", request.getTo());
        SlotTable first = before.build();
        SlotTable second = after.build();
        var response = DiffGenerationsResponse.newBuilder()
                .setFrom(before.number())
                .setTo(after.number())
                .setSlotsBefore(first.slots())
                .setSlotsAfter(second.slots())
                .setMoved(second.slots());
        if (first.slots() == second.slots()) {
            Movement movement = Movement.between(first, second);
            response.setMoved(movement.moved()).setForeignMoved(movement.collateral());
        }
        SortedSet<Integer> ids = new TreeSet<>();
        before.members().forEach(member -> ids.add(member.id()));
        after.members().forEach(member -> ids.add(member.id()));
        SortedMap<Integer, Integer> slotsBefore = first.slotsByMember();
        SortedMap<Integer, Integer> slotsAfter = second.slotsByMember();
        for (int id : ids) {
            response.addMembers(MemberDifference.newBuilder()
                    .setId(id)
                    .setName(Optional.ofNullable(
                                    state.cluster().model().members().get(id))
                            .filter(member -> !member.retired())
                            .map(Member::name)
                            .orElse(""))
                    .setAddress(after.member(id)
                            .or(() -> before.member(id))
                            .map(member -> member.key().toString())
                            .orElse(""))
                    .setWeightBefore(number(before, id, TableMember::weight))
                    .setWeightAfter(number(after, id, TableMember::weight))
                    .setEffectiveBefore(number(before, id, TableMember::effectiveWeight))
                    .setEffectiveAfter(number(after, id, TableMember::effectiveWeight))
                    .setMemberSlotsBefore(slotsBefore.getOrDefault(id, 0))
                    .setMemberSlotsAfter(slotsAfter.getOrDefault(id, 0)));
        }
        return response.build();
    }

    private static int number(PoolGeneration generation, int id, ToIntFunction<TableMember> of) {
        return generation.member(id).stream().mapToInt(of).findFirst().orElse(0);
    }

    /**
     * Returns the generation with the number, the last one for 0.
     *
     * @throws io.grpc.StatusRuntimeException with NOT_FOUND and the numbers that are kept
     */
    static PoolGeneration generation(List<PoolGeneration> kept, Pool pool, String field, long number) {
        if (kept.isEmpty()) {
            throw Refusals.notFound(field, "pool '%s' has no generation yet".formatted(pool.name()));
        }
        return kept.stream()
                .filter(generation ->
                        generation.number() == (number == 0 ? kept.getLast().number() : number))
                .findFirst()
                .orElseThrow(() -> Refusals.notFound(
                        field,
                        "generation %s of pool '%s' is not kept: %d to %d are"
                                .formatted(
                                        Long.toUnsignedString(number),
                                        pool.name(),
                                        kept.getFirst().number(),
                                        kept.getLast().number())));
    }
}
