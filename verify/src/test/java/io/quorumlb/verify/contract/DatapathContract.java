package io.quorumlb.verify.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.install.Datapath;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.openflow.SampleFlows;
import io.quorumlb.ovs.packet.ArpFrame;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.ReadBack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a switch promises to the controller, whoever plays it. */
abstract class DatapathContract extends EmptyPoolContract {
    private static final long FOREIGN = 0x7;

    // ---- steps of the tests ----

    private static List<Flow> slots(int count, int member) {
        var flows = new ArrayList<Flow>();
        for (int slot = 0; slot < count; slot++) {
            flows.add(slot(slot, member));
        }
        return flows;
    }

    private static String refused(Datapath datapath, FlowDelta change) {
        var refusal = assertThrows(DatapathException.class, () -> datapath.install(change));
        assertEquals(DatapathException.Outcome.REFUSED, refusal.outcome(), refusal.getMessage());
        return refusal.getMessage();
    }

    // ---- installing ----

    @Test
    void whatIsInstalledIsReadBackEqual() throws DatapathException {
        try (var datapath = bench().open()) {
            assertFalse(datapath.connected(), "nobody has called yet");
            List<Flow> desired = SampleFlows.all();
            install(datapath, desired);
            assertTrue(datapath.connected());
            SwitchSnapshot snapshot = datapath.readBack();
            assertEquals(desired.size(), snapshot.own().size());
            assertEquals(desired.size(), datapath.flowModsSent());
            assertEquals(
                    Set.of("br0", "p1", "p2", "p3", "p4", "p5", "p6"),
                    snapshot.ports().keySet());
            snapshot.ports()
                    .forEach((name, port) -> assertTrue(
                            name.equals("br0") || port.number() == Integer.parseInt(name.substring(1)),
                            port::toString));
        }
    }

    @Test
    void onlyTheDifferenceIsSentAndMade() throws DatapathException {
        try (var datapath = bench().open()) {
            install(datapath, slots(64, 1));
            long sent = datapath.flowModsSent();
            var desired = new ArrayList<>(slots(64, 1));
            desired.set(7, slot(7, 2));
            desired.remove(40);
            install(datapath, desired);
            assertEquals(sent + 2, datapath.flowModsSent());
            install(datapath, List.of());
            assertEquals(0, datapath.readBack().own().size());
            datapath.install(new FlowDelta(List.of(), List.of(slot(3, 1).key())));
            assertEquals(0, datapath.readBack().own().size(), "deleting what is not there is no error");
        }
    }

    @Test
    void whatTheSwitchRefusesChangesNothing() throws DatapathException {
        try (var datapath = bench().open()) {
            List<Flow> before = slots(16, 1);
            install(datapath, before);
            Match ports = Match.of().with(Field.TCP_DST, 80);
            Flow noPrerequisite = new Flow(new FlowKey(12, 5, ports), SwitchBench.OURS.value(), List.of());
            Flow backwards = new Flow(
                    new FlowKey(12, 5, Match.of()), SwitchBench.OURS.value(), List.of(new Instruction.GotoTable(3)));
            Flow writesWhatIsNotThere = new Flow(
                    new FlowKey(12, 5, Match.of()),
                    SwitchBench.OURS.value(),
                    List.of(Instruction.ApplyActions.of(new Action.SetField(Field.TCP_DST, 80))));
            for (Flow bad : List.of(noPrerequisite, backwards, writesWhatIsNotThere)) {
                var desired = new ArrayList<>(slots(16, 2));
                desired.add(3, bad);
                String message = refused(
                        datapath, new FlowDelta(desired, List.of(slot(15, 1).key())));
                String error = FlowRules.refusal(bad).orElseThrow();
                assertTrue(message.contains(error), () -> error + " expected: " + message);
                assertTrue(datapath.connected(), "a refusal does not cost the connection");
                assertTrue(delta(datapath, before).isEmpty());
            }
        }
    }

    @Test
    void aFullTableRefusesOneMoreAndKeepsTheRest() throws DatapathException {
        try (var datapath = bench().open()) {
            install(datapath, slots(16, 1));
            bench().limit(11, 16);
            String message = refused(datapath, delta(datapath, slots(17, 1)));
            assertTrue(message.contains("FLOW_MOD_FAILED/OFPFMFC_TABLE_FULL"), message);
            assertTrue(delta(datapath, slots(16, 1)).isEmpty());
            install(datapath, slots(16, 2));
            // Deletes go first: they make room.
            var others = new ArrayList<>(slots(17, 2));
            others.remove(3);
            install(datapath, others);
        }
    }

    // ---- reading some pools ----

    private static Flow slotOf(int pool, int slot) {
        Match match = Match.of().with(Field.REG0, pool).with(Field.REG1, slot);
        return new Flow(new FlowKey(11, 100, match), Cookie.ofPool(pool) | slot, List.of());
    }

    @Test
    void aPoolIsReadAloneAsItIsAmongAll() throws DatapathException {
        Flow theirs = new Flow(new FlowKey(20, 7, Match.of()), FOREIGN, List.of());
        bench().put(theirs);
        try (var datapath = bench().open()) {
            List<Flow> flows = new ArrayList<>();
            for (int slot = 0; slot < 300; slot++) {
                flows.add(slotOf(1 + slot % 3, slot));
            }
            install(datapath, flows);
            SwitchSnapshot whole = datapath.readBack();
            SortedSet<Integer> pools = new TreeSet<>(List.of(1, 3));
            SwitchSnapshot part = datapath.readBack(pools);
            assertEquals(200, part.own().size());
            assertEquals(List.of(), part.foreign());
            assertEquals(whole.ports(), part.ports());
            assertEquals(whole.groups(), part.groups());
            assertEquals(List.of(), ReadBack.updated(whole, pools, part).differing(whole));

            List<Flow> fewer = new ArrayList<>(flows);
            fewer.removeIf(flow -> Cookie.pool(flow.cookie()) == 3);
            FlowDelta change = FlowDelta.between(whole.ownFlows(), fewer);
            assertEquals(Optional.of(new TreeSet<>(List.of(3))), ReadBack.pools(change, whole.own()));
            datapath.install(change);
            SortedSet<Integer> changed = new TreeSet<>(List.of(3));
            assertEquals(0, datapath.readBack(changed).own().size());
            assertEquals(
                    List.of(),
                    ReadBack.updated(whole, changed, datapath.readBack(changed)).differing(datapath.readBack()));
        }
    }

    @Test
    void blocksOfPoolsAreReadAsTheyAreAmongAll() throws DatapathException {
        bench().put(new Flow(new FlowKey(20, 7, Match.of()), FOREIGN, List.of()));
        try (var datapath = bench().open()) {
            List<Flow> flows = new ArrayList<>();
            for (int pool : List.of(0, 1, 31, 32, 33, 63, 64, 65_535)) {
                flows.add(slotOf(pool, pool));
            }
            install(datapath, flows);
            SwitchSnapshot whole = datapath.readBack();
            for (int first : List.of(0, 32, 64, 65_504)) {
                SortedSet<Integer> block = IntStream.range(first, first + Cookie.POOL_BLOCK)
                        .boxed()
                        .collect(Collectors.toCollection(TreeSet::new));
                SwitchSnapshot part = datapath.readBack(block);
                assertEquals(ReadBack.flowsOf(whole, block), part.ownFlows(), "from " + first);
                assertEquals(List.of(), part.foreign());
                block.remove(first + 1);
                assertEquals(
                        ReadBack.flowsOf(whole, block), datapath.readBack(block).ownFlows(), "most from " + first);
            }
        }
    }

    @Test
    void aPoolIsNotReadAloneBeforeTheWhole() throws DatapathException {
        try (var datapath = bench().open()) {
            SortedSet<Integer> pools = new TreeSet<>(List.of(1));
            var refusal = assertThrows(DatapathException.class, () -> datapath.readBack(pools));
            assertEquals(DatapathException.Outcome.UNREACHABLE, refusal.outcome());
            datapath.readBack();
            assertEquals(0, datapath.readBack(pools).own().size());
            bench().stop();
            bench().start();
            assertThrows(DatapathException.class, () -> datapath.readBack(pools));
        }
    }

    // ---- frames ----

    @Test
    void aFrameLeavesByItsPortPastAllTables() throws DatapathException {
        byte[] frame = ArpFrame.announcement(ContractSite.own(10), Ipv4Address.parse("10.99.0.10"))
                .bytes();
        try (var datapath = bench().open()) {
            install(datapath, List.of(new Flow(new FlowKey(0, 9, Match.of()), SwitchBench.OURS.value(), List.of())));
            long before = bench().sentOut(3);
            long beside = bench().sentOut(4);
            datapath.packetOut(3, frame);
            datapath.packetOut(3, frame);
            assertEquals(before + 2, bench().sentOut(3));
            assertEquals(beside, bench().sentOut(4));
            datapath.packetOut(77, frame);
            assertTrue(datapath.connected(), "a port that is not there drops the frame");
        }
    }

    @Test
    void aFrameWithoutAHeaderIsNoErrorAndCostsNotTheConnection() throws DatapathException {
        try (var datapath = bench().open()) {
            datapath.packetOut(3, new byte[13]);
            assertTrue(datapath.connected());
            long before = bench().sentOut(3);
            datapath.packetOut(3, new byte[60]);
            assertEquals(before + 1, bench().sentOut(3));
        }
    }

    // ---- others ----

    @Test
    void flowsOfOthersAreListedAndSpared() throws DatapathException {
        Flow theirs = new Flow(
                new FlowKey(11, 50, Match.of().with(Field.REG0, 1)), FOREIGN, List.of(new Instruction.GotoTable(12)));
        bench().put(theirs);
        try (var datapath = bench().open()) {
            install(datapath, slots(4, 1));
            datapath.install(new FlowDelta(List.of(), List.of(theirs.key())));
            install(datapath, List.of());
            SwitchSnapshot snapshot = datapath.readBack();
            assertEquals(
                    List.of(theirs),
                    snapshot.foreign().stream().map(InstalledFlow::flow).toList());
            bench().remove(theirs.key());
            assertEquals(List.of(), datapath.readBack().foreign());
        }
    }

    @Test
    void addingReplacesAFlowOfTheSameKeyWhoeverOwnsIt() throws DatapathException {
        Flow theirs = new Flow(slot(0, 9).key(), FOREIGN, List.of());
        bench().put(theirs);
        try (var datapath = bench().open()) {
            install(datapath, slots(4, 1));
            assertEquals(List.of(), datapath.readBack().foreign());
            bench().put(theirs);
            assertEquals(List.of(slot(0, 1)), delta(datapath, slots(4, 1)).add());
        }
    }

    @Test
    void whatOthersAlterAndRemoveIsSeenAndPutRight() throws DatapathException {
        try (var datapath = bench().open()) {
            List<Flow> desired = slots(4, 1);
            install(datapath, desired);
            bench().alter(slot(2, 9));
            bench().remove(slot(3, 1).key());
            Flow stray = new Flow(new FlowKey(11, 7, Match.of()), SwitchBench.OURS.value(), List.of());
            bench().put(stray);
            FlowDelta repair = delta(datapath, desired);
            assertEquals(desired.subList(2, 4), repair.add());
            assertEquals(List.of(stray.key()), repair.delete());
            install(datapath, desired);
        }
    }

    @Test
    void anotherControllerAdoptsWhatIsThere() throws DatapathException {
        List<Flow> desired = Pipeline.flows(ContractSite.intent());
        try (var first = bench().open()) {
            install(first, desired);
        }
        try (var second = bench().open()) {
            install(second, desired);
            assertEquals(0, second.flowModsSent(), "a restart that changes nothing sends nothing");
        }
    }

    @Test
    void aClosedDatapathRefusesAndLeavesTheFlows() throws DatapathException {
        Datapath closed = bench().open();
        install(closed, slots(4, 1));
        closed.close();
        assertFalse(closed.connected());
        var refusal = assertThrows(DatapathException.class, closed::readBack);
        assertEquals(DatapathException.Outcome.UNREACHABLE, refusal.outcome());
        try (var datapath = bench().open()) {
            assertTrue(delta(datapath, slots(4, 1)).isEmpty());
        }
    }

    @Test
    void aRestartedSwitchIsEmptyAndTheNextCallSimplyWorks() throws DatapathException {
        try (var datapath = bench().open()) {
            List<Flow> desired = slots(64, 1);
            install(datapath, desired);
            bench().stop();
            var gone = assertThrows(DatapathException.class, datapath::readBack);
            assertEquals(DatapathException.Outcome.UNREACHABLE, gone.outcome());
            assertFalse(datapath.connected());
            var again = assertThrows(
                    DatapathException.class, () -> datapath.install(new FlowDelta(slots(1, 1), List.of())));
            assertEquals(DatapathException.Outcome.UNREACHABLE, again.outcome());
            bench().start();
            assertEquals(0, datapath.readBack().own().size());
            install(datapath, desired);
            bench().stop();
            bench().start();
            assertEquals(desired.size(), delta(datapath, desired).add().size());
        }
    }
}
