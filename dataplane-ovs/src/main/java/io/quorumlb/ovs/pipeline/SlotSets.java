package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.Meter;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.pipeline.SwitchIntent.Standing;
import java.util.List;
import java.util.Optional;

/**
 * Table 11: slots and their owners. A pool has one set of slots, and a second one over all enabled members if a listener
 * fails open; the number of a set is what {@code reg0} holds. A listener that refuses its clients then needs no
 * slots, but a row. All are there always: when a pool becomes empty, only the rows of its listeners change.
 */
public final class SlotSets {
    /** Told from the pool's own set by one bit more than a pool id has. */
    private static final int FAIL_OPEN = 0x10000;

    /** Another bit: no slots, but one row for all packets. */
    private static final int REJECT = 0x20000;

    /** Below the fingerprint's row, and not with the rows of slots, which nobody counts. */
    private static final int REJECT_PRIORITY = 150;

    /** As much as the longest answer quotes: an Ethernet header, and 1280 bytes less the answer's own headers. */
    private static final int QUOTED_BYTES = 1246;

    /** To answer as many costs a node less than a tenth of a core, whatever comes in. */
    private static final Meter REJECT_METER = new Meter(0x5155, 1000, 200);

    private SlotSets() {}

    /** Returns the number of the set of slots over all enabled members of a pool. */
    public static int failOpen(int poolId) {
        return FAIL_OPEN | poolId;
    }

    /** Returns the pool that a set of slots is of. */
    public static int poolOf(int set) {
        return set & (FAIL_OPEN - 1);
    }

    /** Returns the table of a pool's set of slots; empty if the pool has no such set. */
    static Optional<SlotTable> table(ServedPool pool, int set) {
        if (set == pool.id()) {
            return Optional.of(pool.table());
        }
        return set == failOpen(pool.id()) ? pool.failOpen() : Optional.empty();
    }

    /** Returns the number that stands for no slots at all: clients of the pool's listeners are refused. */
    public static int reject(int poolId) {
        return REJECT | poolId;
    }

    /** Returns the meter that all packets to be refused share. */
    public static Meter rejectMeter() {
        return REJECT_METER;
    }

    /** Returns where packets go that have been given the number of a set: those to be refused need no slot. */
    static PipelineTable next(int set) {
        return (set & REJECT) == 0 ? PipelineTable.SLOT_FUNCTION : PipelineTable.SLOTS;
    }

    /** Returns the number of the set of slots that a listener's packets find. */
    static int chosen(SwitchIntent intent, ServedListener listener) {
        Optional<ServedPool> empty = intent.pool(listener.poolId()).filter(pool -> pool.standing() == Standing.EMPTY);
        if (empty.isEmpty()) {
            return listener.poolId();
        }
        return switch (listener.whenEmpty()) {
            case WhenEmpty.Drop _, WhenEmpty.Withdraw _ -> listener.poolId();
            case WhenEmpty.Reject _ -> reject(listener.poolId());
            case WhenEmpty.FailOpen _ ->
                empty.get().failOpen().isPresent() ? failOpen(listener.poolId()) : listener.poolId();
            case WhenEmpty.Fallback(int other) -> intent.pool(other).isPresent() ? other : listener.poolId();
        };
    }

    /** Adds a pool's sets, as far as listeners of the pool may use them. */
    static void add(ServedPool pool, List<ServedListener> listeners, FlowList flows) {
        add(pool.id(), Cookie.Kind.SLOT, pool.id(), pool.table(), flows);
        pool.failOpen().ifPresent(table -> add(pool.id(), Cookie.Kind.FAIL_OPEN, failOpen(pool.id()), table, flows));
        boolean rejects = listeners.stream()
                .anyMatch(
                        listener -> listener.poolId() == pool.id() && listener.whenEmpty() instanceof WhenEmpty.Reject);
        if (rejects) {
            flows.add(
                    PipelineTable.SLOTS,
                    REJECT_PRIORITY,
                    Match.of().with(Field.REG0, reject(pool.id())),
                    Cookie.of(Cookie.Kind.REJECT, pool.id(), 0),
                    Instruction.ApplyActions.of(
                            new Action.ToMeter(REJECT_METER.id()), new Action.Controller(QUOTED_BYTES)));
        }
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
