package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.pipeline.SwitchIntent.Standing;
import java.util.List;
import java.util.Optional;

/**
 * Table 11: slots and their owners. A pool has one set of slots, and a second one over all enabled members if a listener
 * fails open; the number of a set is what {@code reg0} holds. Both are there always: when a pool becomes empty, only the
 * rows of its listeners change.
 */
public final class SlotSets {
    /** Told from the pool's own set by one bit more than a pool id has. */
    private static final int FAIL_OPEN = 0x10000;

    private SlotSets() {}

    /** Returns the number of the set of slots over all enabled members of a pool. */
    public static int failOpen(int poolId) {
        return FAIL_OPEN | poolId;
    }

    /** Returns the pool that a set of slots is of. */
    static int poolOf(int set) {
        return set & (FAIL_OPEN - 1);
    }

    /** Returns the table of a pool's set of slots; empty if the pool has no such set. */
    static Optional<SlotTable> table(ServedPool pool, int set) {
        return set == pool.id() ? Optional.of(pool.table()) : pool.failOpen();
    }

    /** Returns the number of the set of slots that a listener's packets find. */
    static int chosen(SwitchIntent intent, ServedListener listener) {
        Optional<ServedPool> empty = intent.pool(listener.poolId()).filter(pool -> pool.standing() == Standing.EMPTY);
        if (empty.isEmpty()) {
            return listener.poolId();
        }
        return switch (listener.whenEmpty()) {
            case WhenEmpty.Drop _, WhenEmpty.Withdraw _ -> listener.poolId();
            case WhenEmpty.FailOpen _ ->
                empty.get().failOpen().isPresent() ? failOpen(listener.poolId()) : listener.poolId();
            case WhenEmpty.Fallback(int other) -> intent.pool(other).isPresent() ? other : listener.poolId();
        };
    }

    static void add(ServedPool pool, FlowList flows) {
        add(pool.id(), Cookie.Kind.SLOT, pool.id(), pool.table(), flows);
        pool.failOpen().ifPresent(table -> add(pool.id(), Cookie.Kind.FAIL_OPEN, failOpen(pool.id()), table, flows));
    }

    private static void add(int poolId, Cookie.Kind kind, int set, SlotTable table, FlowList flows) {
        Match ofSet = Match.of().with(Field.REG0, set);
        for (int slot = 0; slot < table.slots(); slot++) {
            int owner = table.owner(slot);
            if (owner != SlotTable.NOBODY) {
                flows.addUnique(new Flow(
                        new FlowKey(PipelineTable.SLOTS.id(), 100, ofSet.with(Field.REG1, slot)),
                        Cookie.of(kind, poolId, slot),
                        List.of(
                                Instruction.ApplyActions.of(new Action.SetField(Field.REG2, owner)),
                                Pipeline.goTo(PipelineTable.MEMBER))));
            }
        }
        flows.add(PipelineTable.SLOTS, 50, ofSet, Cookie.of(Cookie.Kind.FAIL_CLOSE, poolId, 0));
    }
}
