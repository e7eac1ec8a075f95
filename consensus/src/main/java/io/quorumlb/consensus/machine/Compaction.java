package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Movement;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What compacting a pool would do.
 *
 * @param retired the members that leave the base
 * @param movement slots that move, from the current generation's table to one without them
 */
public record Compaction(List<Member> retired, Movement movement) {
    /** Copies the list. */
    public Compaction {
        retired = List.copyOf(retired);
    }

    /** Returns what compacting the pool would do now. */
    public static Compaction of(ClusterState state, Pool pool) {
        List<Member> retired = state.model().membersOf(pool.id()).stream()
                .filter(Member::retired)
                .toList();
        SortedSet<Integer> leaving = new TreeSet<>();
        retired.forEach(member -> leaving.add(member.id()));
        PoolDefinition before = state.generation(pool.id())
                .map(PoolGeneration::definition)
                .orElseGet(() -> PoolDefinition.of(pool.algorithm(), pool.id(), pool.slots(), List.of()));
        List<TableMember> staying = before.members().stream()
                .filter(member -> !leaving.contains(member.id()))
                .toList();
        PoolDefinition after = PoolDefinition.of(before.version(), before.poolId(), before.slots(), staying);
        return new Compaction(retired, Movement.between(SlotTable.build(before), SlotTable.build(after)));
    }
}
