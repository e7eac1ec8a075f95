package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.PipelineTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class InstallingTest {
    private static final int HEARD = 980;

    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final FlowKey SLOT_17 = slotKey(17);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n2 = cluster.node(Site.N2);

    private static FlowKey slotKey(int slot) {
        return new FlowKey(
                PipelineTable.SLOTS.id(),
                100,
                Match.of().with(Field.REG0, Site.WEB).with(Field.REG1, slot));
    }

    private NodeDriver restarted() {
        cluster.restartControllers(Site.N2);
        return cluster.node(Site.N2);
    }

    private int changes(NodeDriver node) {
        return node.wanted(NodeEffect.ChangeSwitch.class).size();
    }

    @Test
    void theSwitchHoldsTheCommittedTableAndTheNodeReportsWhatItReadBack() {
        PoolReport web = n2.web();
        assertEquals(InstallState.CONVERGED, web.state());
        assertEquals(cluster.generation(), web.generation());
        assertEquals(web.expected(), web.built());
        assertEquals(web.expected(), web.installed());
        cluster.run(Duration.ofSeconds(10));
        assertEquals(0, changes(n2), "nothing changes while nothing is due");
    }

    @Test
    void aRestartedControllerAdoptsWhatTheSwitchHoldsAndSendsNothing() {
        SortedMap<FlowKey, Flow> before = new TreeMap<>(n2.ovs.flows);
        NodeDriver fresh = restarted();
        cluster.run(Duration.ofSeconds(10));
        assertEquals(InstallState.CONVERGED, fresh.web().state());
        assertEquals(0, changes(fresh));
        assertEquals(0, fresh.report().datapath().flowModsSent());
        assertEquals(before, n2.ovs.flows);
        assertEquals(List.of(), fresh.wanted(NodeEffect.Withdraw.class), "its routes were never in question");
    }

    @Test
    void nothingIsChangedBeforeTheBarrier() {
        cluster.admin("be1", AdminState.DRAINED);
        SortedMap<FlowKey, Flow> before = new TreeMap<>(n2.ovs.flows);
        NodeDriver fresh = restarted();
        fresh.muted.add(NodeEffect.ReadBarrier.class);
        cluster.run(Duration.ofSeconds(4));
        assertEquals(before, n2.ovs.flows);
        assertEquals(InstallState.LAGGING, fresh.web().state());
        fresh.muted.clear();
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N2), Duration.ofSeconds(2));
    }

    @Test
    void nothingIsChangedBeforeTheKernelWasRead() {
        cluster.admin("be1", AdminState.DRAINED);
        SortedMap<FlowKey, Flow> before = new TreeMap<>(n2.ovs.flows);
        NodeDriver fresh = restarted();
        fresh.muted.add(NodeEffect.ReadNetwork.class);
        cluster.run(Duration.ofSeconds(4));
        assertEquals(before, n2.ovs.flows);
        fresh.muted.clear();
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N2), Duration.ofSeconds(2));
    }

    @Test
    void aChangeOfMembersCostsOnlyTheDifference() {
        cluster.admin("be1", AdminState.DRAINED);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N2), SECOND);
        assertEquals(1, changes(n2));
        var delta = n2.wanted(NodeEffect.ChangeSwitch.class).getFirst().delta();
        assertEquals(264 + 1, delta.size(), "the moved slots and the marker");
        assertEquals(List.of(), delta.delete());
    }

    @Test
    void aChangeOfOnePoolIsProvenByReadingThatPoolAlone() {
        n2.forget();
        cluster.admin("be1", AdminState.DRAINED);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N2), SECOND);
        assertEquals(
                List.of(new TreeSet<>(List.of(Site.WEB))),
                n2.wanted(NodeEffect.ReadPools.class).stream()
                        .map(NodeEffect.ReadPools::pools)
                        .toList());
    }

    @Test
    void whatAPoolsOwnReadingFindsWrongIsNoProof() {
        n2.ovs.refusesSilently.add(SLOT_17);
        n2.ovs.flows.remove(SLOT_17);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.run(SECOND);
        assertFalse(n2.wanted(NodeEffect.ReadPools.class).isEmpty());
        assertNotEquals(InstallState.CONVERGED, n2.web().state());
        n2.ovs.refusesSilently.clear();
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N2), Duration.ofSeconds(5));
    }

    @Test
    void manyChangesDoNotPutOffTheAudit() {
        n2.forget();
        for (int i = 0; i < 20; i++) {
            cluster.admin("be1", i % 2 == 0 ? AdminState.DRAINED : AdminState.ENABLED);
            cluster.run(Duration.ofMillis(500));
        }
        assertTrue(n2.wanted(NodeEffect.ReadPools.class).size() >= 15, "each change is proven");
        int audits = n2.wanted(NodeEffect.ReadSwitch.class).size();
        assertTrue(audits >= 4 && audits <= 6, "audits in 10 s: " + audits);
    }

    @Test
    void aSwitchLostWhileAPoolIsReadIsReadWhole() {
        n2.muted.add(NodeEffect.ReadPools.class);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.until(() -> !n2.wanted(NodeEffect.ReadPools.class).isEmpty(), SECOND);
        // It comes back empty: the pool alone is found again, all else is gone.
        SortedMap<FlowKey, Flow> before = new TreeMap<>(n2.ovs.flows);
        n2.deliver(new NodeEvent.SwitchLost("the switch closed the connection"));
        n2.ovs.flows.keySet().removeIf(key -> key.table() != PipelineTable.SLOTS.id());
        n2.deliver(n2.ovs.readBack(new TreeSet<>(List.of(Site.WEB)), 0));
        cluster.run(TICK);
        assertNotEquals(InstallState.CONVERGED, n2.web().state());
        n2.muted.clear();
        cluster.until(() -> n2.ovs.flows.equals(before), SECOND);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N2), SECOND);
    }

    @Test
    void aDeletedFlowIsRestoredAndCounted() {
        n2.ovs.flows.remove(SLOT_17);
        Duration took = cluster.until(() -> n2.ovs.flows.containsKey(SLOT_17), Duration.ofSeconds(5));
        assertTrue(took.compareTo(Duration.ofSeconds(3)) < 0, took::toString);
        cluster.run(TICK.multipliedBy(3));
        assertEquals(1, n2.report().datapath().repaired().total());
        assertEquals(1, n2.said("somebody changed our flows: repairs 1").size());
        assertEquals(InstallState.CONVERGED, n2.web().state());
    }

    @Test
    void aFlowAlteredToAnotherMemberIsPutRightAndCounted() {
        Flow good = Optional.ofNullable(n2.ovs.flows.get(SLOT_17)).orElseThrow();
        long other = good.toString().contains("set_field:0x2->reg2") ? 3 : 2;
        Flow altered = new Flow(
                SLOT_17,
                good.cookie(),
                good.instructions().stream()
                        .map(instruction -> instruction instanceof Instruction.ApplyActions
                                ? Instruction.ApplyActions.of(new Action.SetField(Field.REG2, other))
                                : instruction)
                        .toList());
        n2.ovs.flows.put(SLOT_17, altered);
        cluster.until(() -> good.equals(n2.ovs.flows.get(SLOT_17)), Duration.ofSeconds(5));
        cluster.run(TICK.multipliedBy(3));
        assertEquals(1, n2.report().datapath().repaired().total());
        assertTrue(n2.report().announced());
    }

    @Test
    void aForeignFlowIsReportedAndNotTouched() {
        var foreign = new Flow(new FlowKey(99, 7, Match.of().with(Field.REG0, 9)), 0xbad, List.of());
        n2.ovs.flows.put(foreign.key(), foreign);
        cluster.run(Duration.ofSeconds(5));
        assertEquals(foreign, n2.ovs.flows.get(foreign.key()));
        assertEquals(1, n2.report().datapath().foreignFlows());
        assertEquals(0, n2.report().datapath().repaired().total());
        assertTrue(n2.report().problems().getFirst().contains("cookie=0xbad"), n2.report()::toString);
        assertEquals(0, changes(n2));
        assertEquals(1, n2.said("flows of others").size(), "said once");
    }

    @Test
    void aMemberWithoutMacHoldsTheGenerationBack() {
        String before = n2.web().installed().orElseThrow().toString();
        cluster.nodes().forEach(node -> node.answering.add(5));
        cluster.log.operator(Site.createMember("be5", "p2", MemberKey.parse("10.20.0.9:8080")));
        cluster.until(() -> n2.web().state() == InstallState.WAITING_NEIGHBOUR, Duration.ofSeconds(3));
        cluster.run(Duration.ofSeconds(3));
        assertEquals("no MAC address for [10.20.0.9]", n2.web().detail());
        assertEquals(before, n2.web().installed().orElseThrow().toString(), "the previous generation stays");
        assertTrue(n2.report().announced());
        n2.neighbours("p2", macs -> macs.put(Ipv4Address.parse("10.20.0.9"), Site.mac(5)));
        cluster.until(() -> n2.web().state() == InstallState.CONVERGED, Duration.ofSeconds(2));
        assertEquals(n2.web().expected(), n2.web().installed());
    }

    @Test
    void whatTheKernelForgetsStaysInTheSwitch() {
        n2.neighbours("p2", SortedMap::clear);
        n2.neighbours("uplink", SortedMap::clear);
        cluster.run(Duration.ofSeconds(5));
        assertEquals(0, changes(n2));
        assertEquals(InstallState.CONVERGED, n2.web().state());
        assertTrue(n2.report().announced());
        NodeDriver fresh = restarted();
        fresh.neighbours("p2", SortedMap::clear);
        fresh.neighbours("uplink", SortedMap::clear);
        cluster.run(Duration.ofSeconds(5));
        assertEquals(0, changes(fresh), "a new controller takes them from the switch");
        assertEquals(InstallState.CONVERGED, fresh.web().state());
    }

    @Test
    void aNewMacOfAMemberIsInTheSwitchWithinThreeSeconds() {
        var moved = MacAddress.parse("02:00:00:00:99:99");
        n2.neighbours("p2", macs -> macs.put(Site.key(1).ipv4().orElseThrow(), moved));
        Duration took = cluster.until(() -> n2.ovs.flows.toString().contains(moved.toString()), Duration.ofSeconds(3));
        assertTrue(took.compareTo(Duration.ofMillis(1200)) < 0, took::toString);
        cluster.run(TICK.multipliedBy(3));
        assertEquals(0, n2.report().datapath().repaired().total(), "a change of ours is no repair");
    }

    @Test
    void aPoolThatWaitsAfterARestartLeavesTheFlowsAsTheyWere() {
        NodeDriver fresh = restarted();
        cluster.nodes().forEach(node -> node.answering.add(5));
        cluster.log.operator(Site.createMember("be5", "p2", MemberKey.parse("10.20.0.9:8080")));
        cluster.cut.addAll(List.of("n1-n2", "n2-n3"));
        fresh.muted.add(NodeEffect.ReadBarrier.class);
        SortedMap<FlowKey, Flow> before = forwarding(fresh);
        cluster.run(Duration.ofSeconds(4));
        fresh.muted.clear();
        cluster.until(() -> fresh.web().state() == InstallState.WAITING_NEIGHBOUR, Duration.ofSeconds(6));
        cluster.run(Duration.ofSeconds(5));
        assertEquals(before, forwarding(fresh), "VIP, ARP and slots of the earlier life");
        assertEquals(List.of(), fresh.wanted(NodeEffect.Withdraw.class));
        assertEquals(List.of(), fresh.wanted(NodeEffect.Announce.class), "nothing is proven");
        assertFalse(fresh.state().ready());
        fresh.neighbours("p2", macs -> macs.put(Ipv4Address.parse("10.20.0.9"), Site.mac(5)));
        cluster.until(() -> fresh.web().state() == InstallState.CONVERGED, Duration.ofSeconds(2));
    }

    @Test
    void aTableThatDiffersFromTheCommittedDigestIsNeverInstalledAndTheMajorityIsRight() {
        SortedMap<FlowKey, Flow> before = new TreeMap<>(n2.ovs.flows);
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        weights.put(2, 1);
        cluster.node(Site.N1).muted.add(NodeEffect.Propose.class);
        cluster.log.operator(new Command.CommitGeneration(
                Site.WEB,
                cluster.generation() + 1,
                cluster.log.state().revision(),
                weights,
                new Digest("0".repeat(64)),
                "a leader that builds otherwise"));
        cluster.run(SECOND);
        assertEquals(InstallState.MISMATCH, n2.web().state());
        assertEquals("built 5131b6d905f8d959", n2.web().detail());
        assertEquals(before, n2.ovs.flows);
        assertTrue(n2.report().announced(), "all three build the same: the generation is wrong, not the nodes");
        cluster.node(Site.N1).muted.clear();
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N2) && n2.report().announced(), Duration.ofSeconds(6));
    }

    @Test
    void aLostSwitchIsSaidAndAfterItsReturnEverythingIsReadAndInstalledAnew() {
        SortedMap<FlowKey, Flow> before = new TreeMap<>(n2.ovs.flows);
        n2.ovs.reachable = false;
        n2.ovs.flows.clear();
        cluster.until(() -> n2.web().state() == InstallState.NO_SWITCH, Duration.ofSeconds(3));
        cluster.run(TICK.multipliedBy(2));
        assertFalse(n2.report().announced());
        assertFalse(n2.state().ready());
        assertEquals("br-lb.mgmt: connection refused", n2.report().datapath().detail());
        assertEquals(Optional.empty(), n2.web().installed(), "what it held is not known any more");
        cluster.run(Duration.ofSeconds(5));
        assertEquals(1, n2.said("switch cannot be used").size(), "said once");
        n2.ovs.reachable = true;
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N2) && n2.report().announced(), SECOND);
        // Its gateway addresses were moved away meanwhile and are given back once it has been well for a while.
        cluster.until(() -> before.equals(n2.ovs.flows), Duration.ofSeconds(20));
        assertEquals(0, n2.report().datapath().repaired().total(), "a new switch is no repair");
    }

    @Test
    void aChangeThatDoesNotHoldIsRepeatedByTheAuditAndSaidOnce() {
        n2.ovs.flows.remove(SLOT_17);
        n2.ovs.refusesSilently.add(SLOT_17);
        cluster.run(Duration.ofSeconds(10));
        assertTrue(changes(n2) >= 3 && changes(n2) <= 6, "changes in 10 s: " + changes(n2));
        assertEquals(
                1,
                n2.said("switch does not hold what it was sent: 1 flows differ").size());
        assertEquals(InstallState.INSTALLING, n2.web().state());
        n2.ovs.refusesSilently.clear();
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N2), Duration.ofSeconds(3));
    }

    @Test
    void flowsOfADeletedMemberGo() {
        cluster.admin("be4", AdminState.DRAINED);
        cluster.run(SECOND);
        cluster.log.operator(new Command.DeleteMember("web", "be4"));
        cluster.run(SECOND);
        assertEquals(InstallState.CONVERGED, n2.web().state());
        assertFalse(n2.ovs.flows.toString().contains("10.30.0.3"), "no translation to it or from it");
    }

    /** Returns the node's flows without those that only let it hear where members say that they are. */
    private static SortedMap<FlowKey, Flow> forwarding(NodeDriver node) {
        SortedMap<FlowKey, Flow> flows = new TreeMap<>(node.ovs.flows);
        flows.keySet().removeIf(key -> key.table() == 0 && key.priority() == HEARD);
        return flows;
    }
}
