package io.quorumlb.verify.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.install.Datapath;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.PipelineTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a switch does with packets, whoever plays it. */
abstract class ForwardingContract {
    private static final long FOREIGN = 0x7;
    private static final int TUPLES = 250;

    /** Returns the switch; the same one for all tests of a class. */
    abstract SwitchBench bench();

    @BeforeEach
    void empty() {
        bench().empty();
        bench().unlimited();
    }

    // ---- steps of the tests ----

    static FlowDelta delta(Datapath datapath, Collection<Flow> desired) throws DatapathException {
        return FlowDelta.between(datapath.readBack().ownFlows(), desired);
    }

    static void install(Datapath datapath, Collection<Flow> desired) throws DatapathException {
        datapath.install(delta(datapath, desired));
        assertTrue(delta(datapath, desired).isEmpty(), "what was installed is read back equal");
    }

    static Flow slot(int slot, int member) {
        return new Flow(
                new FlowKey(11, 100, Match.of().with(Field.REG0, 1).with(Field.REG1, slot)),
                SwitchBench.OURS.value() | slot,
                List.of(
                        Instruction.ApplyActions.of(new Action.SetField(Field.REG2, member)),
                        new Instruction.GotoTable(12)));
    }

    private static Flow forward(int priority, long cookie, int inPort, int outPort) {
        return new Flow(
                new FlowKey(0, priority, Match.of().with(Field.IN_PORT, inPort)),
                cookie,
                List.of(Instruction.ApplyActions.of(new Action.Output(outPort))));
    }

    static Packet request(IpAddress client, int port, IpAddress vip, int vipPort) {
        return Packet.tcp(ContractSite.UPLINK, ContractSite.ROUTER, ContractSite.own(10), client, port, vip, vipPort);
    }

    private static Packet reply(ContractSite.Site member, IpAddress client, int port) {
        int network = member.port() == ContractSite.P2 ? 20 : 30;
        return Packet.tcp(member.port(), member.mac(), ContractSite.own(network), member.address(), 8080, client, port);
    }

    private void dropped(PipelineTable table, Packet packet) throws Exception {
        var verdict = assertInstanceOf(Verdict.Dropped.class, bench().trace(packet), packet::toString);
        assertEquals(table.id(), verdict.table(), () -> packet + ": " + verdict);
    }

    /** Returns clients from a seed. */
    static List<Packet> requests(int count) {
        var random = new Random(20_261_130);
        var packets = new ArrayList<Packet>();
        for (int i = 0; i < count; i++) {
            var client = new Ipv4Address(0x0a32_0000 | random.nextInt(1 << 16));
            int port = 1024 + random.nextInt(64_512);
            int which = random.nextInt(8);
            packets.add(
                    which == 0
                            ? request(client, port, ContractSite.OTHER_VIP, 80)
                            : request(client, port, ContractSite.VIP, which < 3 ? 443 : 80));
        }
        return packets;
    }

    // ---- packets ----

    @Test
    void packetsAreCountedAndAReplacedFlowGoesOnCounting() throws Exception {
        try (var datapath = bench().open()) {
            Flow kept = forward(5, SwitchBench.OURS.value(), 1, 3);
            Flow replaced = forward(5, SwitchBench.OURS.value(), 2, 4);
            install(datapath, List.of(kept, replaced));
            Packet first = requests(1).getFirst();
            for (int i = 0; i < 3; i++) {
                bench().send(first);
                bench().send(first.with(Field.IN_PORT, 2));
            }
            // A change makes the switch bring its counters up to date.
            Flow next = forward(5, SwitchBench.OURS.value(), 2, 5);
            var unrelated = slot(1, 1);
            install(datapath, List.of(kept, replaced, unrelated));
            assertEquals(List.of(3L, 3L), counted(datapath, kept, replaced));
            install(datapath, List.of(kept, next));
            assertEquals(List.of(3L, 3L), counted(datapath, kept, next));
            install(datapath, List.of(kept));
            install(datapath, List.of(kept, next));
            assertEquals(List.of(3L, 0L), counted(datapath, kept, next), "deleted and added anew");
        }
    }

    private static List<Long> counted(Datapath datapath, Flow... flows) throws DatapathException {
        SwitchSnapshot snapshot = datapath.readBack();
        return List.of(flows).stream()
                .map(flow -> Optional.ofNullable(snapshot.own().get(flow.key()))
                        .orElseThrow()
                        .packets())
                .toList();
    }

    @Test
    void theHighestPriorityWinsAndSecondPlaceGetsNothing() throws Exception {
        Packet packet = requests(1).getFirst();
        bench().put(forward(10, FOREIGN, 1, 3));
        bench().put(forward(20, FOREIGN, 1, 4));
        var sent = assertInstanceOf(Verdict.Sent.class, bench().trace(packet));
        assertEquals(4, sent.first().port());
        bench().remove(forward(20, FOREIGN, 1, 4).key());
        sent = assertInstanceOf(Verdict.Sent.class, bench().trace(packet));
        assertEquals(List.of(new Verdict.Departure(3, packet)), sent.departures());
        bench().put(forward(30, FOREIGN, 1, 1));
        assertInstanceOf(Verdict.Dropped.class, bench().trace(packet), "not back to where it came from");
        bench().put(forward(30, FOREIGN, 1, 77));
        assertInstanceOf(Verdict.Dropped.class, bench().trace(packet), "no such port");
    }

    @Test
    void aRequestGoesToTheMemberThatOwnsItsSlot() throws Exception {
        try (var datapath = bench().open()) {
            install(datapath, Pipeline.flows(ContractSite.intent()));
        }
        for (Packet packet : requests(TUPLES)) {
            int pool =
                    packet.destination().equals(ContractSite.OTHER_VIP) ? 3 : packet.destinationPort() == 443 ? 2 : 1;
            SlotTable table = ContractSite.table(pool);
            int owner = table.owner(
                    PacketHash.link(packet.values(), Action.PacketFields.SYMMETRIC_L3L4_UDP, pool, ContractSite.SLOTS));
            if (owner == SlotTable.NOBODY) {
                assertEquals(3, pool);
                dropped(PipelineTable.SLOTS, packet);
                continue;
            }
            ContractSite.Site member = ContractSite.member(owner);
            var sent = assertInstanceOf(Verdict.Sent.class, bench().trace(packet), packet::toString);
            int network = member.port() == ContractSite.P2 ? 20 : 30;
            Packet expected = Packet.tcp(
                            packet.inPort(),
                            ContractSite.own(network),
                            member.mac(),
                            packet.source(),
                            packet.sourcePort(),
                            member.address(),
                            8080)
                    .with(Field.IP_TTL, 63);
            assertEquals(List.of(new Verdict.Departure(member.port(), expected)), sent.departures());
        }
    }

    @Test
    void aReplyCarriesTheVipAgainAlsoThatOfADrainedMember() throws Exception {
        try (var datapath = bench().open()) {
            install(datapath, Pipeline.flows(ContractSite.intent()));
        }
        var client = Ipv4Address.parse("10.50.3.4");
        for (ContractSite.Site member : ContractSite.members()) {
            Packet packet = reply(member, client, 4_000);
            var sent = assertInstanceOf(Verdict.Sent.class, bench().trace(packet), packet::toString);
            Packet expected = Packet.tcp(
                            packet.inPort(),
                            ContractSite.own(10),
                            ContractSite.ROUTER,
                            member.pool() == 3 ? ContractSite.OTHER_VIP : ContractSite.VIP,
                            member.pool() == 2 ? 443 : 80,
                            client,
                            4_000)
                    .with(Field.IP_TTL, 63);
            assertEquals(List.of(new Verdict.Departure(ContractSite.UPLINK, expected)), sent.departures());
        }
        dropped(
                PipelineTable.UN_DNAT,
                reply(ContractSite.member(1), client, 4_000).with(Field.TCP_SRC, 22));
    }

    @Test
    void whatIsNotForUsIsDroppedWhereThePipelineSays() throws Exception {
        try (var datapath = bench().open()) {
            install(datapath, Pipeline.flows(ContractSite.intent()));
        }
        Packet good = request(Ipv4Address.parse("10.50.0.1"), 4_000, ContractSite.VIP, 80);
        dropped(PipelineTable.INGRESS, good.with(Field.ETH_DST, 0x0200_0000_0a02L));
        dropped(PipelineTable.INGRESS, good.with(Field.IP_FRAG, 1));
        dropped(
                PipelineTable.INGRESS,
                good.with(Field.IN_PORT, ContractSite.P2 + 1L).with(Field.IN_PORT, 77));
        dropped(PipelineTable.LISTENER, good.with(Field.TCP_DST, 81));
        dropped(PipelineTable.TTL, good.with(Field.IP_TTL, 1));
        dropped(
                PipelineTable.RETURN_EGRESS,
                reply(ContractSite.member(1), good.source(), 4_000).with(Field.IP_TTL, 1));
    }

    @Test
    void arpForVipAndGatewayIsAnswered() throws Exception {
        try (var datapath = bench().open()) {
            install(datapath, Pipeline.flows(ContractSite.intent()));
        }
        MacAddress asker = ContractSite.ROUTER;
        var from = Ipv4Address.parse("10.0.0.9");
        Packet vip = Packet.arpRequest(ContractSite.UPLINK, asker, from, ContractSite.VIP);
        var answer = assertInstanceOf(Verdict.Sent.class, bench().trace(vip)).first();
        assertEquals(ContractSite.UPLINK, answer.port());
        assertEquals(ContractSite.own(10), answer.packet().sourceMac());
        assertEquals(asker, answer.packet().destinationMac());
        assertEquals(2, answer.packet().get(Field.ARP_OP));
        assertEquals(vip.get(Field.ARP_TPA), answer.packet().get(Field.ARP_SPA));
        assertEquals(ContractSite.own(10).value(), answer.packet().get(Field.ARP_SHA));
        assertEquals(asker.value(), answer.packet().get(Field.ARP_THA));
        assertEquals(vip.get(Field.ARP_SPA), answer.packet().get(Field.ARP_TPA));
        Packet own = Packet.arpRequest(ContractSite.P2, asker, from, Ipv4Address.parse("10.20.0.11"));
        assertEquals(
                ContractSite.own(20).value(),
                assertInstanceOf(Verdict.Sent.class, bench().trace(own))
                        .first()
                        .packet()
                        .get(Field.ARP_SHA));
        dropped(
                PipelineTable.INGRESS,
                Packet.arpRequest(ContractSite.P2, asker, from, Ipv4Address.parse("10.20.0.252")));
    }
}
