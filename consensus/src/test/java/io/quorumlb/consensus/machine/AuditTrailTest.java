package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.model.Role;
import io.quorumlb.consensus.wire.EntryCodec;
import io.quorumlb.consensus.wire.OriginCodec;
import io.quorumlb.consensus.wire.SnapshotCodec;
import io.quorumlb.maglev.SlotFunction;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Who has written what is kept with what was written. */
class AuditTrailTest {
    private static final Authorship ANNA = new Authorship(
            new Caller("anna", Role.OPERATOR, "10.40.0.9:51000"), "SetSlotFunction", "", new NodeId("n2"));
    private static final Command COMMAND = new Command.SetSlotFunction(SlotFunction.MULTIPATH);

    private ClusterState state = ClusterState.empty();

    private static Origin origin(String id, long millis) {
        return new Origin(new RequestId(id), OriginCodec.content(COMMAND), millis, OptionalLong.empty());
    }

    private List<WriteRecord> records() {
        return state.requests().audit().records();
    }

    private void apply(Origin origin) {
        Applied applied = StateMachine.apply(state, new Command.Requested(origin, COMMAND));
        assertInstanceOf(Outcome.Done.class, applied.outcome());
        state = applied.state();
    }

    @Test
    void aWriteLeavesOneRecordHoweverOftenItIsAsked() {
        apply(origin("a", 1_000).by(ANNA));
        apply(origin("a", 2_000).by(ANNA));
        assertEquals(List.of(new WriteRecord(1, 1_000, ANNA, new RequestId("a"), 0)), records());
    }

    @Test
    void aRefusedWriteLeavesNone() {
        var refused = new Command.Requested(origin("a", 1_000).by(ANNA), new Command.DeletePool("nil"));
        assertInstanceOf(
                Outcome.Refused.class, StateMachine.apply(state, refused).outcome());
        assertEquals(state, StateMachine.apply(state, refused).state());
    }

    @Test
    void aWriteOfWhichNobodyKnowsTheAuthorLeavesNone() {
        apply(origin("a", 1_000));
        assertEquals(List.of(), records());
    }

    @Test
    void theLastTenThousandAreKeptLongerThanTheirIds() {
        long minute = 60_000;
        for (int i = 1; i <= AuditTrail.COUNT_MAX + 3; i++) {
            apply(origin("r" + i, i * minute).by(ANNA));
        }
        assertEquals(AuditTrail.COUNT_MAX, records().size());
        assertEquals(4, records().getFirst().sequence());
        assertEquals(AuditTrail.COUNT_MAX + 3, records().getLast().sequence());
        assertTrue(SnapshotCodec.toWire(state).getSerializedSize() < 2 << 20);
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
        apply(origin("next", 1).by(ANNA));
        assertEquals(AuditTrail.COUNT_MAX + 4, records().getLast().sequence());
    }

    @Test
    void theAuthorTravelsInTheEntry() {
        var write = new Command.Requested(origin("a", 1_000).by(ANNA), COMMAND);
        assertEquals(write, EntryCodec.fromWire(EntryCodec.toWire(write)));
    }

    @Test
    void aRecordIsBoundedWhateverTheCallSays() {
        Authorship loud = new Authorship(ANNA.caller(), "M".repeat(10_000), "x\u001b[2J\n".repeat(10_000), ANNA.node());
        assertEquals(64, loud.method().length());
        assertEquals(200, loud.object().length());
        assertTrue(loud.object().startsWith("x?[2J?x?"), loud.object());
        apply(origin("a", 1_000).by(loud));
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
    }
}
