package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.testbed.DualStackSite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private static final SwitchIntent INTENT = SiteIntent.allUp(1);
    private static final SortedMap<FlowKey, Flow> FLOWS = SiteIntent.byKey(Pipeline.flows(INTENT));
    private static final SortedMap<FlowKey, Flow> DUAL_STACK = SiteIntent.byKey(Pipeline.flows(DualStackSite.intent()));

    private static List<Flow> inTable(PipelineTable table) {
        return FLOWS.values().stream()
                .filter(flow -> flow.key().table() == table.id())
                .toList();
    }

    /** The file is what a reviewer reads; a change of it is a change of what every switch holds. */
    @Test
    void theSitesFlowsAreThoseOfTheFile() throws IOException {
        golden("site.flows", FLOWS.values().stream().map(Flow::toString).toList());
    }

    /** All kinds of listeners in both families; of the slots, of which the other file has enough, the first of a pool. */
    @Test
    void theFlowsOfAllKindsAreThoseOfTheFile() throws IOException {
        golden(
                "dual-stack.flows",
                DUAL_STACK.values().stream()
                        .filter(flow ->
                                !Cookie.isKind(flow.cookie(), Cookie.Kind.SLOT) || Cookie.object(flow.cookie()) == 0)
                        .map(Flow::toString)
                        .toList());
    }

    private static void golden(String name, List<String> actual) throws IOException {
        try (var file = PipelineTest.class.getResourceAsStream("/pipeline/" + name)) {
            assertTrue(file != null, "resource pipeline/" + name + " is missing");
            String golden = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(golden.strip(), String.join("\n", actual));
        }
    }

    @Test
    void packetsOnlyGoToHigherTablesThatExist() {
        Set<Integer> ids = new TreeSet<>();
        for (PipelineTable table : PipelineTable.values()) {
            assertTrue(ids.add(table.id()), table + " has an id of its own");
        }
        FLOWS.values()
                .forEach(flow -> flow.instructions().forEach(instruction -> {
                    if (instruction instanceof Instruction.GotoTable(int next)) {
                        assertTrue(next > flow.key().table(), flow::toString);
                        assertTrue(ids.contains(next), flow::toString);
                    }
                }));
    }

    @Test
    void everyTableCountsItsOwnMiss() {
        for (PipelineTable table : PipelineTable.values()) {
            Optional<Flow> miss = inTable(table).stream()
                    .filter(flow -> flow.key().priority() == 0)
                    .findFirst();
            assertEquals(table != PipelineTable.MARKER, miss.isPresent(), table.name());
            miss.ifPresent(flow -> {
                assertEquals(List.of(), flow.instructions(), "a miss drops");
                assertEquals(Match.of(), flow.key().match());
            });
        }
    }

    @Test
    void everyMemberThatOwnsASlotHasTheRowsThatCarryItsPackets() {
        for (int member : SiteIntent.table(1, 1, 1, 1).slotsByMember().keySet()) {
            assertEquals(1, ofMember(PipelineTable.MEMBER, member), "MEMBER row of " + member);
            assertEquals(1, ofMember(PipelineTable.UN_DNAT, member), "UN_DNAT row of " + member);
            assertEquals(1, ofMember(PipelineTable.EGRESS, member), "EGRESS row of " + member);
        }
    }

    private static long ofMember(PipelineTable table, int member) {
        return inTable(table).stream()
                .filter(flow -> Cookie.pool(flow.cookie()) == SiteIntent.POOL && Cookie.object(flow.cookie()) == member)
                .count();
    }

    @Test
    void forwardedPacketsMustCarryTheNodesOwnMac() {
        for (Flow flow : inTable(PipelineTable.INGRESS)) {
            boolean forwards = flow.instructions().stream().anyMatch(Instruction.GotoTable.class::isInstance);
            if (forwards) {
                long mac = flow.key().match().term(Field.ETH_DST).orElseThrow().value();
                int port = (int)
                        flow.key().match().term(Field.IN_PORT).orElseThrow().value();
                int network = port == SiteIntent.UPLINK ? 10 : port == SiteIntent.P2 ? 20 : 30;
                assertEquals(SiteIntent.ownMac(1, network).value(), mac, flow::toString);
            }
        }
    }

    @Test
    void allFlowsAreOursAndPermanent() {
        FLOWS.values().forEach(flow -> {
            assertEquals(Cookie.OWNER, flow.cookie() & Cookie.OWNER_MASK);
            assertEquals(Flow.Lifetime.PERMANENT, flow.lifetime());
        });
    }

    @Test
    void flowsOfOnePoolCarryItInTheirCookie() {
        Set<Integer> tables = FLOWS.values().stream()
                .filter(flow -> Cookie.pool(flow.cookie()) == SiteIntent.POOL)
                .map(flow -> flow.key().table())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(List.of(8, 10, 11, 13, 15, 21, 250)), tables);
    }

    @Test
    void whatIsReadBackIsTheTable() {
        SlotTable table = SiteIntent.table(1, 1, 1, 1);
        assertEquals(table, readBack(FLOWS));
        assertEquals("0a16713c5a9eb94d", readBack(FLOWS).digest().toString());
        assertEquals(INTENT.nextHops(), ReadBack.nextHopMacs(FLOWS.values()));
        assertEquals(4, ReadBack.memberMacs(FLOWS.values()).size());
    }

    private static SlotTable readBack(SortedMap<FlowKey, Flow> flows) {
        SortedMap<Integer, PoolDefinition> definitions = new TreeMap<>();
        definitions.put(SiteIntent.POOL, SiteIntent.table(1, 1, 1, 1).definition());
        return Optional.ofNullable(
                        ReadBack.slotTables(flows.values(), definitions).get(SiteIntent.POOL))
                .orElseThrow();
    }

    @Test
    void anAlteredMissingOrDivertedSlotFlowChangesTheDigest() {
        var good = readBack(FLOWS).digest();
        FlowKey slot = inTable(PipelineTable.SLOTS).getFirst().key();
        Flow flow = Optional.ofNullable(FLOWS.get(slot)).orElseThrow();
        var altered = new TreeMap<>(FLOWS);
        altered.put(
                slot,
                new Flow(
                        slot,
                        flow.cookie(),
                        List.of(
                                Instruction.ApplyActions.of(new Action.SetField(Field.REG2, 99)),
                                new Instruction.GotoTable(PipelineTable.MEMBER.id()))));
        assertFalse(good.equals(readBack(altered).digest()), "another member");
        altered.put(slot, new Flow(slot, flow.cookie(), List.of()));
        assertFalse(good.equals(readBack(altered).digest()), "a drop");
        altered.put(
                slot,
                new Flow(
                        slot,
                        flow.cookie(),
                        List.of(flow.instructions().getFirst(), new Instruction.GotoTable(PipelineTable.TTL.id()))));
        assertFalse(good.equals(readBack(altered).digest()), "past the translation");
        altered.remove(slot);
        assertFalse(good.equals(readBack(altered).digest()), "nothing");
    }

    @Test
    void aDrainedMembersRepliesStillPass() {
        SortedMap<FlowKey, Flow> drained = SiteIntent.byKey(Pipeline.flows(SiteIntent.of(1, 0, 1, 1, 1)));
        assertEquals("6c5bb0a164d76e61", readBack(drained).digest().toString());
        FlowDelta delta = FlowDelta.between(FLOWS, drained.values());
        assertEquals(List.of(), delta.delete());
        assertEquals(264 + 1, delta.add().size(), "moved slots and the marker");
        delta.add()
                .forEach(flow -> assertTrue(List.of(11, 250).contains(flow.key().table()), flow::toString));
    }

    @Test
    void anEmptyTableHasNoSlotFlowsAndDropsCounted() {
        SortedMap<FlowKey, Flow> empty = SiteIntent.byKey(Pipeline.flows(SiteIntent.of(1, 0, 0, 0, 0)));
        List<Flow> slots = empty.values().stream()
                .filter(flow -> flow.key().table() == PipelineTable.SLOTS.id())
                .toList();
        assertEquals(2, slots.size(), "fail-close and the table's own miss");
        assertTrue(Cookie.isKind(slots.getFirst().cookie(), Cookie.Kind.FAIL_CLOSE));
        assertEquals(List.of(), slots.getFirst().instructions());
    }

    @Test
    void withoutANextHopRepliesMeetTheMiss() {
        var unknown = new SwitchIntent(
                INTENT.uplink(),
                new TreeMap<>(),
                INTENT.segments(),
                INTENT.listeners(),
                INTENT.pools(),
                INTENT.routers());
        assertTrue(
                Pipeline.flows(unknown).stream()
                        .filter(flow -> flow.key().table() == PipelineTable.RETURN_EGRESS.id())
                        .allMatch(flow -> flow.instructions().isEmpty()),
                "all of them drop");
    }

    @Test
    void aMemberWithoutMacHasNoWayOut() {
        ServedPool pool = INTENT.pools().getFirst();
        List<ServedMember> members = pool.members().stream()
                .map(member -> member.id() == 3
                        ? new ServedMember(3, member.address(), member.port(), member.segment(), Optional.empty())
                        : member)
                .toList();
        var intent = new SwitchIntent(
                INTENT.uplink(),
                INTENT.nextHops(),
                INTENT.segments(),
                INTENT.listeners(),
                List.of(new ServedPool(pool.id(), pool.generation(), pool.digest(), pool.table(), members)),
                INTENT.routers());
        assertEquals(3, ReadBack.memberMacs(Pipeline.flows(intent)).size());
    }

    @Test
    void theMarkerTellsGenerationAndDigest() {
        assertEquals(
                "cookie=0x51550f0001000000,table=250,priority=100,reg0=0x1,"
                        + "actions=set_field:0xa16713c->reg1,set_field:0x5a9eb94d->reg2,set_field:0x7->reg3",
                inTable(PipelineTable.MARKER).getFirst().toString());
    }

    @Test
    void theOrderOfFlowsAndIntentsDoesNotMatter() {
        assertEquals(FLOWS, SiteIntent.byKey(Pipeline.flows(SiteIntent.allUp(1))));
        assertFalse(FLOWS.equals(SiteIntent.byKey(Pipeline.flows(SiteIntent.allUp(2)))), "MACs differ by node");
    }
}
