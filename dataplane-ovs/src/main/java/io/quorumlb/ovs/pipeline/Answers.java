package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;

/**
 * What the switch answers itself, for VIPs and gateway addresses: who has the address (ARP, neighbour discovery), asked
 * of everybody or of the node alone, and echo requests. The question becomes the answer and leaves where it came from.
 */
final class Answers {
    private static final int NEIGHBOUR_UNKNOWN_ASKER = 991;
    private static final int NEIGHBOUR = 990;
    private static final int ECHO = 950;
    private static final int ALWAYS = 100;

    private static final int ARP_REQUEST = 1;
    private static final int ARP_REPLY = 2;
    private static final int ND_NEIGHBOR_SOLICIT = 135;
    private static final int ND_NEIGHBOR_ADVERT = 136;
    private static final int ND_OPT_TARGET_LINKADDR = 2;
    /** A question that came through a router is forged (RFC 4861, 7.1.1). */
    private static final int HOP_LIMIT_OF_NEIGHBOURS = 255;

    private static final long SOLICITED_AND_OVERRIDE = 0x6000_0000L;
    private static final long OVERRIDE = 0x2000_0000L;
    private static final Ipv6Address UNSPECIFIED = new Ipv6Address(0, 0);
    private static final Ipv6Address ALL_NODES = new Ipv6Address(0xff02L << 48, 1);
    private static final long ALL_NODES_MAC = 0x3333_0000_0001L;

    private static final int TTL = 64;
    private static final int MAC_BITS = 48;
    private static final long COOKIE = Cookie.of(Cookie.Kind.INGRESS, 0, 0);
    private static final long ECHO_COOKIE = Cookie.of(Cookie.Kind.ECHO, 0, 0);

    private Answers() {}

    /** Adds what table 0 does with questions that come in by a port and are about an address. */
    static void ofAddress(Port port, IpAddress address, FlowList flows) {
        switch (address) {
            case Ipv4Address ipv4 -> arp(port, ipv4, flows);
            case Ipv6Address ipv6 -> neighbour(port, ipv6, flows);
        }
        IpFamily family = address.family();
        flows.add(
                PipelineTable.INGRESS,
                ECHO,
                Headers.whole(Headers.to(Ingress.icmpToNode(port, family), address))
                        .with(icmpType(family), echoRequest(family))
                        .with(icmpCode(family), 0),
                ECHO_COOKIE,
                Pipeline.goTo(PipelineTable.ECHO));
    }

    /** Adds the answer to ARP requests for an address that come in by a port. */
    static void arp(Port port, Ipv4Address address, FlowList flows) {
        long mac = port.mac().value();
        flows.add(
                PipelineTable.INGRESS,
                NEIGHBOUR,
                Headers.arp()
                        .with(Field.IN_PORT, port.number())
                        .with(Field.ARP_OP, ARP_REQUEST)
                        .with(Headers.term(Field.ARP_TPA, address)),
                COOKIE,
                Instruction.ApplyActions.of(
                        new Action.Move(Field.ETH_SRC, Field.ETH_DST),
                        new Action.SetField(Field.ETH_SRC, mac),
                        new Action.SetField(Field.ARP_OP, ARP_REPLY),
                        new Action.Move(Field.ARP_SHA, Field.ARP_THA),
                        new Action.SetField(Field.ARP_SHA, mac),
                        new Action.Move(Field.ARP_SPA, Field.ARP_TPA),
                        Headers.set(Field.ARP_SPA, address),
                        new Action.InPort()));
    }

    /** Returns: an ARP reply came in by the port. */
    static Match arpReply(Port port) {
        return Headers.arp().with(Field.IN_PORT, port.number()).with(Field.ARP_OP, ARP_REPLY);
    }

    /** Returns: a host of the network says by neighbour discovery that it has the address. */
    static Match advertisement(Port port, Ipv6Address address) {
        return Headers.icmp(IpFamily.IPV6)
                .with(Field.IN_PORT, port.number())
                .with(Field.IP_TTL, HOP_LIMIT_OF_NEIGHBOURS)
                .with(Field.ICMPV6_TYPE, ND_NEIGHBOR_ADVERT)
                .with(Field.ICMPV6_CODE, 0)
                .with(Headers.term(Field.ND_TARGET, address));
    }

    /** Returns: a host of the network asks by neighbour discovery who has the address. */
    static Match solicitation(Port port, Ipv6Address address) {
        return Headers.icmp(IpFamily.IPV6)
                .with(Field.IN_PORT, port.number())
                .with(Field.IP_TTL, HOP_LIMIT_OF_NEIGHBOURS)
                .with(Field.ICMPV6_TYPE, ND_NEIGHBOR_SOLICIT)
                .with(Field.ICMPV6_CODE, 0)
                .with(Headers.term(Field.ND_TARGET, address));
    }

    private static void neighbour(Port port, Ipv6Address address, FlowList flows) {
        Match asked = solicitation(port, address);
        Action ownMac = new Action.SetField(Field.ETH_SRC, port.mac().value());
        flows.add(
                PipelineTable.INGRESS,
                NEIGHBOUR,
                asked,
                COOKIE,
                Instruction.ApplyActions.of(
                        new Action.Move(Field.ETH_SRC, Field.ETH_DST),
                        ownMac,
                        new Action.Move(Field.IPV6_SRC, Field.IPV6_DST),
                        Headers.setSource(address),
                        new Action.SetField(Field.ICMPV6_TYPE, ND_NEIGHBOR_ADVERT),
                        new Action.SetField(Field.ND_OPTIONS_TYPE, ND_OPT_TARGET_LINKADDR),
                        new Action.SetField(Field.ND_RESERVED, SOLICITED_AND_OVERRIDE)),
                Pipeline.goTo(PipelineTable.ADVERTISEMENT));
        // Somebody is about to take the address: all are told that it is taken (RFC 4862, 5.4.4).
        flows.add(
                PipelineTable.INGRESS,
                NEIGHBOUR_UNKNOWN_ASKER,
                Headers.from(asked, UNSPECIFIED),
                COOKIE,
                Instruction.ApplyActions.of(
                        new Action.SetField(Field.ETH_DST, ALL_NODES_MAC),
                        ownMac,
                        Headers.setDestination(ALL_NODES),
                        Headers.setSource(address),
                        new Action.SetField(Field.ICMPV6_TYPE, ND_NEIGHBOR_ADVERT),
                        new Action.SetField(Field.ND_RESERVED, OVERRIDE)),
                Pipeline.goTo(PipelineTable.ADVERTISEMENT));
    }

    /** Adds what the tables behind do with the questions. */
    static void shared(FlowList flows) {
        for (IpFamily family : IpFamily.values()) {
            echo(family, flows);
        }
        // A table of its own: the link-layer address of the target is a field of advertisements only.
        flows.add(
                PipelineTable.ADVERTISEMENT,
                ALWAYS,
                Headers.icmp(IpFamily.IPV6).with(Field.ICMPV6_TYPE, ND_NEIGHBOR_ADVERT),
                COOKIE,
                Instruction.ApplyActions.of(new Action.Move(Field.ETH_SRC, Field.ND_TLL), new Action.InPort()));
    }

    private static void echo(IpFamily family, FlowList flows) {
        Field source = Headers.source(family);
        Field destination = Headers.destination(family);
        flows.add(
                PipelineTable.ECHO,
                ALWAYS,
                Headers.icmp(family).with(icmpType(family), echoRequest(family)),
                ECHO_COOKIE,
                Instruction.ApplyActions.of(
                        new Action.Move(Field.ETH_DST, 0, Field.XXREG2, 0, MAC_BITS),
                        new Action.Move(Field.ETH_SRC, Field.ETH_DST),
                        new Action.Move(Field.XXREG2, 0, Field.ETH_SRC, 0, MAC_BITS),
                        new Action.Move(destination, 0, Field.XXREG2, 0, destination.bits()),
                        new Action.Move(source, destination),
                        new Action.Move(Field.XXREG2, 0, source, 0, source.bits()),
                        new Action.SetField(icmpType(family), echoReply(family)),
                        new Action.SetField(Field.IP_TTL, TTL),
                        new Action.InPort()));
    }

    private static Field icmpType(IpFamily family) {
        return switch (family) {
            case IPV4 -> Field.ICMPV4_TYPE;
            case IPV6 -> Field.ICMPV6_TYPE;
        };
    }

    private static Field icmpCode(IpFamily family) {
        return switch (family) {
            case IPV4 -> Field.ICMPV4_CODE;
            case IPV6 -> Field.ICMPV6_CODE;
        };
    }

    private static int echoRequest(IpFamily family) {
        return switch (family) {
            case IPV4 -> 8;
            case IPV6 -> 128;
        };
    }

    private static int echoReply(IpFamily family) {
        return switch (family) {
            case IPV4 -> 0;
            case IPV6 -> 129;
        };
    }
}
