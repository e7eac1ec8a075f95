package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.DualStackSite.Role;
import io.quorumlb.ovs.testbed.EmptyPoolSite;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The flows of a listener whose pool has no member left. */
class EmptyPoolTest {
    /** Returns the set of slots that the listener's packets find. */
    private static long chosen(SwitchIntent intent, IpFamily family) {
        return Pipeline.flows(intent).stream()
                .filter(flow -> flow.key().table() == PipelineTable.LISTENER.id())
                .filter(flow -> Cookie.object(flow.cookie()) == EmptyPoolSite.listener(family))
                .mapToLong(flow -> written(flow, Field.REG0))
                .findFirst()
                .orElseThrow();
    }

    private static long written(Flow flow, Field field) {
        return flow.instructions().stream()
                .flatMap(instruction -> instruction instanceof Instruction.ApplyActions(var actions)
                        ? actions.stream()
                        : List.<Action>of().stream())
                .filter(action -> action instanceof Action.SetField set && set.field() == field)
                .mapToLong(action -> action instanceof Action.SetField set ? set.value() : 0)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void aListenerUsesTheSlotsThatItsPolicyNamesWhileItsPoolIsEmpty(IpFamily family) {
        int own = DualStackSite.pool(family, Role.PORTS);
        for (WhenEmpty policy : List.of(new WhenEmpty.Drop(), new WhenEmpty.Withdraw(), new WhenEmpty.FailOpen())) {
            assertEquals(own, chosen(EmptyPoolSite.serving(_ -> policy), family));
        }
        assertEquals(own, chosen(EmptyPoolSite.serving(EmptyPoolSite::fallback), family));
        assertEquals(own, chosen(EmptyPoolSite.empty(_ -> new WhenEmpty.Drop()), family));
        assertEquals(own, chosen(EmptyPoolSite.empty(_ -> new WhenEmpty.Withdraw()), family));
        assertEquals(0x10000 | own, chosen(EmptyPoolSite.empty(_ -> new WhenEmpty.FailOpen()), family));
        assertEquals(own, chosen(EmptyPoolSite.serving(_ -> new WhenEmpty.Reject()), family));
        assertEquals(0x20000 | own, chosen(EmptyPoolSite.empty(_ -> new WhenEmpty.Reject()), family));
        assertEquals(
                DualStackSite.pool(family, Role.ALL_PORTS),
                chosen(EmptyPoolSite.empty(EmptyPoolSite::fallback), family));
    }

    /** What the changed row leads to is there already, so there is no moment in which it leads nowhere. */
    @Test
    void becomingEmptyChangesTheListenersRowAndAddsNothingElse() {
        for (Function<IpFamily, WhenEmpty> policy :
                List.<Function<IpFamily, WhenEmpty>>of(_ -> new WhenEmpty.FailOpen(), EmptyPoolSite::fallback)) {
            var before = SiteIntent.byKey(Pipeline.flows(EmptyPoolSite.serving(policy)));
            FlowDelta delta = FlowDelta.between(before, Pipeline.flows(EmptyPoolSite.empty(policy)));
            List<Integer> tables = delta.add().stream()
                    .map(flow -> flow.key().table())
                    .distinct()
                    .toList();
            assertEquals(List.of(PipelineTable.MARKER.id(), PipelineTable.LISTENER.id()), tables);
            assertEquals(2 * IpFamily.values().length, delta.add().size(), "a marker and a listener's row each");
            assertTrue(delta.delete().stream().allMatch(key -> key.table() == PipelineTable.SLOTS.id()));
            assertEquals(
                    DualStackSite.SLOTS * IpFamily.values().length,
                    delta.delete().size());
            assertTrue(before.keySet()
                    .containsAll(delta.add().stream().map(Flow::key).toList()));
        }
    }

    @Test
    void whatIsRefusedMeetsTheMeterAndNoSlot() {
        List<Flow> rows = Pipeline.flows(EmptyPoolSite.empty(_ -> new WhenEmpty.Reject())).stream()
                .filter(flow -> Cookie.isKind(flow.cookie(), Cookie.Kind.REJECT))
                .toList();
        assertEquals(
                Stream.of(IpFamily.values())
                        .map(family -> DualStackSite.pool(family, Role.PORTS))
                        .toList(),
                rows.stream().map(flow -> Cookie.pool(flow.cookie())).toList());
        for (Flow row : rows) {
            assertEquals(
                    List.of(Instruction.ApplyActions.of(
                            new Action.ToMeter(SlotSets.rejectMeter().id()), new Action.Controller(1246))),
                    row.instructions());
            assertEquals(
                    List.of(new Counted.Dropped(
                            DropCause.REJECTED, PipelineTable.SLOTS.id(), Cookie.pool(row.cookie()), 0)),
                    Counted.of(row));
        }
    }

    @Test
    void refusingChangesOnlyTheRowsOfThePoolsListeners() {
        var before = SiteIntent.byKey(Pipeline.flows(EmptyPoolSite.serving(_ -> new WhenEmpty.Reject())));
        FlowDelta delta = FlowDelta.between(before, Pipeline.flows(EmptyPoolSite.empty(_ -> new WhenEmpty.Reject())));
        assertTrue(
                before.keySet().containsAll(delta.add().stream().map(Flow::key).toList()));
        assertTrue(delta.delete().stream().allMatch(key -> key.table() == PipelineTable.SLOTS.id()));
        assertTrue(delta.add().stream()
                .filter(flow -> flow.key().table() != PipelineTable.MARKER.id())
                .allMatch(flow -> Cookie.isKind(flow.cookie(), Cookie.Kind.LISTENER)
                        && flow.instructions().contains(new Instruction.GotoTable(PipelineTable.SLOTS.id()))));
    }

    @Test
    void whileNoPolicyAsksForItNothingIsThere() {
        assertEquals(
                SiteIntent.byKey(Pipeline.flows(DualStackSite.intent())),
                SiteIntent.byKey(Pipeline.flows(EmptyPoolSite.serving(_ -> new WhenEmpty.Withdraw()))));
    }

    @Test
    void aFallbackPoolThatIsNotServedIsNotUsed() {
        IpFamily family = IpFamily.IPV4;
        SwitchIntent intent = EmptyPoolSite.empty(_ -> new WhenEmpty.Fallback(99));
        assertEquals(DualStackSite.pool(family, Role.PORTS), chosen(intent, family));
    }

    @Test
    void aFallbackPoolHasItsGroupThoughItsOwnListenersNeedNone() {
        int everything = DualStackSite.pool(IpFamily.IPV4, Role.EVERYTHING);
        SwitchIntent intent = EmptyPoolSite.serving(_ -> new WhenEmpty.Fallback(everything));
        int group = SlotFunctions.groupOf(everything);
        assertTrue(SlotFunctions.groups(intent.by(SlotFunction.DP_HASH)).containsKey(group));
        assertTrue(!SlotFunctions.groups(DualStackSite.intent().by(SlotFunction.DP_HASH))
                .containsKey(group));
    }

    @Test
    void theSecondTableIsReadBackBesideTheFirst() {
        int pool = DualStackSite.pool(IpFamily.IPV6, Role.PORTS);
        SlotTable full = DualStackSite.table(IpFamily.IPV6, Role.PORTS);
        SwitchIntent intent = EmptyPoolSite.empty(_ -> new WhenEmpty.FailOpen());
        SortedMap<Integer, PoolDefinition> definitions = new TreeMap<>();
        definitions.put(pool, intent.pool(pool).orElseThrow().table().definition());
        definitions.put(SlotSets.failOpen(pool), full.definition());
        SortedMap<Integer, Digest> read = new TreeMap<>();
        ReadBack.slotTables(Pipeline.flows(intent), definitions).forEach((set, table) -> read.put(set, table.digest()));
        SortedMap<Integer, Digest> held = new TreeMap<>();
        held.put(pool, intent.pool(pool).orElseThrow().digest());
        held.put(SlotSets.failOpen(pool), full.digest());
        assertEquals(held, read);
    }
}
