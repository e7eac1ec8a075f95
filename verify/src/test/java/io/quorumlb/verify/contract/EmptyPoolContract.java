package io.quorumlb.verify.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.PipelineTable;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.WhenEmpty;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.DualStackSite.Role;
import io.quorumlb.ovs.testbed.EmptyPoolSite;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a switch sends packets of a listener whose pool has no member left. */
abstract class EmptyPoolContract extends DualStackContract {
    private static final int CLIENTS = 40;

    private void install(SwitchIntent intent) throws Exception {
        try (var datapath = bench().open()) {
            install(datapath, Pipeline.flows(intent));
        }
    }

    private static List<Packet> clients(IpFamily family) {
        var random = new Random(20_261_202);
        return random.ints(CLIENTS, 1024, 65_536)
                .mapToObj(port -> Packet.ip(
                                DualStackSite.UPLINK,
                                DualStackSite.ROUTER,
                                DualStackSite.own(10),
                                DualStackSite.address(family, 50, 1 + port % 99),
                                DualStackSite.vip(family, 1),
                                Packet.IPPROTO_TCP)
                        .with(Field.TCP_SRC, port)
                        .with(Field.TCP_DST, 80))
                .toList();
    }

    /** The packet leaves to the owner of its slot in the table, and the member's reply comes from the VIP. */
    private void served(Packet packet, int salt, SlotTable table) throws Exception {
        int slot = PacketHash.link(packet.values(), Action.PacketFields.SYMMETRIC_L3L4_UDP, salt, DualStackSite.SLOTS);
        DualStackSite.Site member = DualStackSite.members().get(table.owner(slot) - 1);
        var sent = assertInstanceOf(Verdict.Sent.class, bench().trace(packet), packet::toString)
                .first();
        assertEquals(member.port(), sent.port());
        assertEquals(member.mac(), sent.packet().destinationMac());
        assertEquals(member.address(), sent.packet().destination());
        assertEquals(DualStackSite.MEMBER_PORT, sent.packet().destinationPort());
        Packet reply = Packet.tcp(
                member.port(),
                member.mac(),
                DualStackSite.own(member.network()),
                member.address(),
                DualStackSite.MEMBER_PORT,
                packet.source(),
                packet.sourcePort());
        var returned = assertInstanceOf(Verdict.Sent.class, bench().trace(reply), reply::toString)
                .first();
        assertEquals(DualStackSite.UPLINK, returned.port());
        assertEquals(packet.destination(), returned.packet().source());
        assertEquals(80, returned.packet().sourcePort());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void withoutAMemberPacketsAreDroppedWhereThatIsCounted(IpFamily family) throws Exception {
        for (WhenEmpty policy : List.of(new WhenEmpty.Drop(), new WhenEmpty.Withdraw())) {
            install(EmptyPoolSite.empty(_ -> policy));
            for (Packet packet : clients(family)) {
                var dropped = assertInstanceOf(Verdict.Dropped.class, bench().trace(packet), packet::toString);
                assertEquals(PipelineTable.SLOTS.id(), dropped.table());
                assertEquals(50, dropped.path().getLast().priority());
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void rejectedPacketsGoToNoMemberAndFindNoSlot(IpFamily family) throws Exception {
        install(EmptyPoolSite.empty(_ -> new WhenEmpty.Reject()));
        for (Packet packet : clients(family)) {
            var dropped = assertInstanceOf(Verdict.Dropped.class, bench().trace(packet), packet::toString);
            assertEquals(
                    List.of(PipelineTable.INGRESS.id(), PipelineTable.LISTENER.id(), PipelineTable.SLOTS.id()),
                    dropped.path().stream().map(FlowKey::table).toList());
            assertEquals(150, dropped.path().getLast().priority());
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void failOpenGivesThemToAllEnabledMembers(IpFamily family) throws Exception {
        install(EmptyPoolSite.empty(_ -> new WhenEmpty.FailOpen()));
        for (Packet packet : clients(family)) {
            served(packet, DualStackSite.pool(family, Role.PORTS), DualStackSite.table(family, Role.PORTS));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void aFallbackPoolTakesThemByItsOwnSlots(IpFamily family) throws Exception {
        install(EmptyPoolSite.empty(EmptyPoolSite::fallback));
        for (Packet packet : clients(family)) {
            served(packet, DualStackSite.pool(family, Role.ALL_PORTS), DualStackSite.table(family, Role.ALL_PORTS));
        }
    }
}
