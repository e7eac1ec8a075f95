package io.quorumlb.verify.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.PipelineTable;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.DualStackSite.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a switch does with packets of every kind of listener, in both families. */
abstract class DualStackContract extends ForwardingContract {
    private static final int GRE = 47;
    private static final int CLIENTS = 1 << 16;

    /**
     * A client's packet and who shall have it.
     *
     * @param role of the pool
     * @param memberPort the destination port it shall have then; empty: as it is
     */
    record Request(IpFamily family, Role role, Packet packet, OptionalInt memberPort) {}

    /** Returns clients from a seed, every kind of listener alike. */
    static List<Request> dualStackRequests(int count, long seed) {
        var random = new Random(seed);
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requests.add(request(random.nextBoolean() ? IpFamily.IPV6 : IpFamily.IPV4, i % 9, random));
        }
        return requests;
    }

    private static Request request(IpFamily family, int kind, Random random) {
        IpAddress first = DualStackSite.vip(family, 1);
        IpAddress second = DualStackSite.vip(family, 2);
        IpAddress third = DualStackSite.vip(family, 3);
        int any = 1 + random.nextInt(65_535);
        var same = OptionalInt.empty();
        return switch (kind) {
            case 0 ->
                new Request(
                        family, Role.PORTS, tcp(family, first, 80, random), OptionalInt.of(DualStackSite.MEMBER_PORT));
            case 1 -> new Request(family, Role.PORTS, udp(family, first, 53, random), OptionalInt.of(5353));
            case 2 -> new Request(family, Role.PORTS, tcp(family, first, 9000 + random.nextInt(101), random), same);
            case 3 -> new Request(family, Role.PORTS, udp(family, first, 9000 + random.nextInt(5), random), same);
            case 4 -> new Request(family, Role.ALL_PORTS, tcp(family, second, any, random), same);
            case 5 -> new Request(family, Role.ALL_PORTS, udp(family, second, any, random), same);
            case 6 -> new Request(family, Role.EVERYTHING, ip(family, third, GRE, random), same);
            case 7 -> new Request(family, Role.EVERYTHING, udp(family, third, any, random), same);
            default -> new Request(family, Role.PORTS, tcp(family, third, 80, random), OptionalInt.of(8081));
        };
    }

    private static IpAddress client(IpFamily family, Random random) {
        int host = random.nextInt(CLIENTS);
        return switch (family) {
            case IPV4 -> new Ipv4Address(0x0a32_0000 | host);
            case IPV6 -> new Ipv6Address(0xfd00_0050L << 32 | random.nextInt(CLIENTS), host);
        };
    }

    private static Packet tcp(IpFamily family, IpAddress vip, int port, Random random) {
        return ip(family, vip, Packet.IPPROTO_TCP, random)
                .with(Field.TCP_SRC, 1024 + random.nextInt(64_512))
                .with(Field.TCP_DST, port);
    }

    private static Packet udp(IpFamily family, IpAddress vip, int port, Random random) {
        return ip(family, vip, Packet.IPPROTO_UDP, random)
                .with(Field.UDP_SRC, 1024 + random.nextInt(64_512))
                .with(Field.UDP_DST, port);
    }

    private static Packet ip(IpFamily family, IpAddress vip, int protocol, Random random) {
        return Packet.ip(
                DualStackSite.UPLINK,
                DualStackSite.ROUTER,
                DualStackSite.own(10),
                client(family, random),
                vip,
                protocol);
    }

    private void installAll() throws Exception {
        try (var datapath = bench().open()) {
            install(datapath, Pipeline.flows(DualStackSite.intent()));
        }
    }

    private static Field source(IpFamily family) {
        return family == IpFamily.IPV4 ? Field.IPV4_SRC : Field.IPV6_SRC;
    }

    private static Field destination(IpFamily family) {
        return family == IpFamily.IPV4 ? Field.IPV4_DST : Field.IPV6_DST;
    }

    private static Packet withPorts(Packet packet, int from, int to) {
        return switch ((int) packet.get(Field.IP_PROTO)) {
            case Packet.IPPROTO_TCP -> packet.with(Field.TCP_SRC, from).with(Field.TCP_DST, to);
            case Packet.IPPROTO_UDP -> packet.with(Field.UDP_SRC, from).with(Field.UDP_DST, to);
            default -> packet;
        };
    }

    private Verdict.Departure leaves(Packet packet) throws Exception {
        return assertInstanceOf(Verdict.Sent.class, bench().trace(packet), packet::toString)
                .first();
    }

    private void dropped(PipelineTable table, int priority, Packet packet) throws Exception {
        var verdict = assertInstanceOf(Verdict.Dropped.class, bench().trace(packet), packet::toString);
        assertEquals(table.id(), verdict.table(), () -> packet + ": " + verdict);
        assertEquals(priority, verdict.path().getLast().priority(), () -> packet + ": " + verdict);
    }

    @Test
    void everyRequestGoesToTheOwnerOfItsSlotAndItsReplyComesFromTheVip() throws Exception {
        installAll();
        for (Request request : dualStackRequests(270, 20_261_201)) {
            Packet packet = request.packet();
            int pool = DualStackSite.pool(request.family(), request.role());
            int owner = DualStackSite.table(request.family(), request.role())
                    .owner(PacketHash.link(packet.values(), pool, DualStackSite.SLOTS));
            DualStackSite.Site member = DualStackSite.members().get(owner - 1);
            int port = request.memberPort().orElse(packet.destinationPort());
            Packet arriving = withPorts(packet, packet.sourcePort(), port)
                    .with(Field.ETH_SRC, DualStackSite.own(member.network()).value())
                    .with(Field.ETH_DST, member.mac().value())
                    .with(Field.IP_TTL, 63)
                    .with(destination(request.family()), member.address());
            assertEquals(new Verdict.Departure(member.port(), arriving), leaves(packet));
            Packet reply = withPorts(packet, port, packet.sourcePort())
                    .with(Field.IN_PORT, member.port())
                    .with(Field.ETH_SRC, member.mac().value())
                    .with(Field.ETH_DST, DualStackSite.own(member.network()).value())
                    .with(source(request.family()), member.address())
                    .with(destination(request.family()), packet.source());
            Packet returned = withPorts(reply, packet.destinationPort(), packet.sourcePort())
                    .with(Field.ETH_SRC, DualStackSite.own(10).value())
                    .with(Field.ETH_DST, DualStackSite.ROUTER.value())
                    .with(Field.IP_TTL, 63)
                    .with(source(request.family()), packet.destination());
            assertEquals(new Verdict.Departure(DualStackSite.UPLINK, returned), leaves(reply));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void everyCauseOfADropHasItsRow(IpFamily family) throws Exception {
        installAll();
        var random = new Random(1);
        IpAddress ports = DualStackSite.vip(family, 1);
        IpAddress everything = DualStackSite.vip(family, 3);
        Packet good = tcp(family, ports, 80, random);
        dropped(PipelineTable.LISTENER, 10, good.with(Field.TCP_DST, 81));
        dropped(PipelineTable.LISTENER, 10, ip(family, DualStackSite.vip(family, 2), GRE, random));
        dropped(PipelineTable.LISTENER, 9000, good.with(Field.TCP_DST, 0));
        dropped(PipelineTable.LISTENER, 9000, udp(family, everything, 0, random));
        dropped(PipelineTable.TTL, 200, good.with(Field.IP_TTL, 1));
        dropped(PipelineTable.INGRESS, 930, good.with(Field.IP_FRAG, 1));
        dropped(PipelineTable.INGRESS, 920, icmp(family, everything, 3));
        dropped(
                PipelineTable.INGRESS,
                10,
                good.with(Field.ETH_DST, DualStackSite.own(20).value()));
        dropped(PipelineTable.INGRESS, 10, good.with(destination(family), DualStackSite.vip(family, 9)));
        DualStackSite.Site member = DualStackSite.members().stream()
                .filter(site -> site.family() == family && site.role() == Role.EVERYTHING)
                .findFirst()
                .orElseThrow();
        Packet reply = Packet.udp(
                member.port(),
                member.mac(),
                DualStackSite.own(member.network()),
                member.address(),
                53,
                client(family, random),
                4_000);
        assertEquals(DualStackSite.UPLINK, leaves(reply).port());
        dropped(PipelineTable.INGRESS, 930, reply.with(Field.IP_FRAG, 1));
        dropped(
                PipelineTable.INGRESS,
                910,
                reply.with(
                        destination(family),
                        DualStackSite.gateways(family, member.network()).getLast()));
        dropped(PipelineTable.UN_DNAT, 9000, reply.with(Field.UDP_SRC, 0));
        dropped(
                PipelineTable.UN_DNAT,
                0,
                reply.with(source(family), DualStackSite.address(family, member.network(), 99)));
        dropped(PipelineTable.RETURN_EGRESS, 200, reply.with(Field.IP_TTL, 1));
    }

    private static Packet icmp(IpFamily family, IpAddress to, int type) {
        return Packet.icmp(
                DualStackSite.UPLINK,
                DualStackSite.ROUTER,
                DualStackSite.own(10),
                DualStackSite.address(family, 50, 1),
                to,
                type);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void vipsAndGatewaysAnswerEchoRequests(IpFamily family) throws Exception {
        installAll();
        Field type = family == IpFamily.IPV4 ? Field.ICMPV4_TYPE : Field.ICMPV6_TYPE;
        int request = family == IpFamily.IPV4 ? 8 : 128;
        int reply = family == IpFamily.IPV4 ? 0 : 129;
        List<Packet> pings = new ArrayList<>();
        for (int vip = 1; vip <= 3; vip++) {
            pings.add(icmp(family, DualStackSite.vip(family, vip), request));
        }
        for (IpAddress gateway : DualStackSite.gateways(family, 30)) {
            pings.add(Packet.icmp(
                    DualStackSite.P3,
                    DualStackSite.host(DualStackSite.P3),
                    DualStackSite.own(30),
                    DualStackSite.address(family, 30, 102),
                    gateway,
                    request));
        }
        for (Packet ping : pings) {
            Packet pong = ping.with(Field.ETH_SRC, ping.destinationMac().value())
                    .with(Field.ETH_DST, ping.sourceMac().value())
                    .with(source(family), ping.destination())
                    .with(destination(family), ping.source())
                    .with(type, reply);
            assertEquals(new Verdict.Departure(ping.inPort(), pong), leaves(ping));
            dropped(PipelineTable.INGRESS, 10, ping.with(Field.ETH_DST, 0xffff_ffff_ffffL));
        }
    }

    @Test
    void neighbourSolicitationsForVipsAndGatewaysAreAnswered() throws Exception {
        installAll();
        var from = assertInstanceOf(Ipv6Address.class, IpAddress.parse("fe80::aa"));
        List<IpAddress> asked = new ArrayList<>(DualStackSite.gateways(IpFamily.IPV6, 20));
        asked.add(DualStackSite.vip(IpFamily.IPV6, 2));
        for (IpAddress wanted : asked) {
            boolean vip = wanted.equals(asked.getLast());
            int port = vip ? DualStackSite.UPLINK : DualStackSite.P2;
            MacAddress own = DualStackSite.own(vip ? 10 : 20);
            Packet question = Packet.solicitation(port, DualStackSite.ROUTER, own, from, ipv6(wanted));
            var answer = leaves(question);
            assertEquals(port, answer.port());
            Packet advertisement = answer.packet();
            assertEquals(own, advertisement.sourceMac());
            assertEquals(DualStackSite.ROUTER, advertisement.destinationMac());
            assertEquals(wanted, advertisement.source());
            assertEquals(from, advertisement.destination());
            assertEquals(136, advertisement.get(Field.ICMPV6_TYPE));
            assertEquals(wanted, advertisement.address(Field.ND_TARGET));
            assertEquals(own.value(), advertisement.get(Field.ND_TLL));
            assertEquals(255, advertisement.get(Field.IP_TTL));
            assertInstanceOf(Verdict.Dropped.class, bench().trace(question.with(Field.IP_TTL, 254)));
            Packet taking =
                    leaves(question.with(Field.IPV6_SRC, IpAddress.parse("::"))).packet();
            assertEquals(IpAddress.parse("ff02::1"), taking.destination());
            assertEquals(0x3333_0000_0001L, taking.get(Field.ETH_DST));
        }
    }

    @Test
    void questionsForOwnAddressesGoToTheNodeAndForOthersNowhere() throws Exception {
        installAll();
        var from = ipv6(IpAddress.parse("fe80::aa"));
        var own = ipv6(DualStackSite.address(IpFamily.IPV6, 20, 11));
        Packet unicast = Packet.solicitation(DualStackSite.P2, DualStackSite.ROUTER, DualStackSite.own(20), from, own);
        assertEquals(DualStackSite.P2 + 1, leaves(unicast).port());
        Packet multicast =
                unicast.with(Field.ETH_DST, 0x3333_ff00_0011L).with(Field.IPV6_DST, IpAddress.parse("ff02::1:ff00:11"));
        assertEquals(DualStackSite.P2 + 1, leaves(multicast).port());
        Packet other = multicast.with(Field.ND_TARGET, IpAddress.parse("fd00:20::253"));
        dropped(PipelineTable.INGRESS, 10, other);
        Packet linkLocal = unicast.with(Field.IPV6_DST, IpAddress.parse("fe80::20"));
        assertTrue(bench().trace(linkLocal) instanceof Verdict.Sent, "its link-local address");
    }

    private static Ipv6Address ipv6(IpAddress address) {
        return assertInstanceOf(Ipv6Address.class, address);
    }
}
