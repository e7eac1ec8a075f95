package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Movement;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * What a change does to a pool's table.
 *
 * @param after the next table
 * @param movement slots that move
 */
record TableChange(SlotTable after, Movement movement) {
    TableChange(Optional<PoolGeneration> current, PoolDefinition next) {
        this(SlotTable.build(next), before(current, next));
    }

    private TableChange(SlotTable after, SlotTable before) {
        this(after, Movement.between(before, after));
    }

    /** Tables of different sizes cannot be compared: all slots of the new one count as moved. */
    private static SlotTable before(Optional<PoolGeneration> current, PoolDefinition next) {
        return current.filter(generation -> generation.slots() == next.slots())
                .map(PoolGeneration::build)
                .orElseGet(() ->
                        SlotTable.build(PoolDefinition.of(next.version(), next.poolId(), next.slots(), List.of())));
    }

    /**
     * Returns the slots that move although their old owner is not excused. What had no owner disturbs nobody.
     */
    int needless(SortedSet<Integer> excused) {
        return movement.transfers().stream()
                .filter(transfer -> transfer.from() != SlotTable.NOBODY && !excused.contains(transfer.from()))
                .mapToInt(Movement.Transfer::slots)
                .sum();
    }
}
