package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.Traffic.Transport;

/** How both versions of IP, TCP and UDP stand in a packet. */
final class Headers {
    static final int ETH_TYPE_IPV4 = 0x0800;
    static final int ETH_TYPE_IPV6 = 0x86dd;

    private static final int ETH_TYPE_ARP = 0x0806;
    private static final int IPPROTO_ICMP = 1;
    private static final int IPPROTO_TCP = 6;
    private static final int IPPROTO_UDP = 17;
    private static final int IPPROTO_ICMPV6 = 58;
    private static final int FRAGMENT_BIT = 1;
    private static final int FRAGMENT_BITS = 3;
    private static final long SOLICITED_NODE_HIGH = 0xff02L << 48;
    private static final long SOLICITED_NODE_LOW = 0x1_ff00_0000L;
    private static final long SOLICITED_NODE_BITS = 0xff_ffffL;

    private Headers() {}

    static Match arp() {
        return Match.of().with(Field.ETH_TYPE, ETH_TYPE_ARP);
    }

    static Match ip(IpFamily family) {
        return Match.of()
                .with(
                        Field.ETH_TYPE,
                        switch (family) {
                            case IPV4 -> ETH_TYPE_IPV4;
                            case IPV6 -> ETH_TYPE_IPV6;
                        });
    }

    static Match icmp(IpFamily family) {
        return ip(family)
                .with(
                        Field.IP_PROTO,
                        switch (family) {
                            case IPV4 -> IPPROTO_ICMP;
                            case IPV6 -> IPPROTO_ICMPV6;
                        });
    }

    static Match transport(IpFamily family, Transport transport) {
        return ip(family)
                .with(
                        Field.IP_PROTO,
                        switch (transport) {
                            case TCP -> IPPROTO_TCP;
                            case UDP -> IPPROTO_UDP;
                        });
    }

    /** Returns the match with: is part of a datagram. */
    static Match fragment(Match ip) {
        return ip.with(Field.IP_FRAG, FRAGMENT_BIT, FRAGMENT_BIT);
    }

    /** Returns the match with: is a whole datagram. */
    static Match whole(Match ip) {
        return ip.with(Field.IP_FRAG, 0, FRAGMENT_BITS);
    }

    static Match from(Match ip, IpAddress source) {
        return ip.with(term(source(source.family()), source));
    }

    static Match to(Match ip, IpAddress destination) {
        return ip.with(term(destination(destination.family()), destination));
    }

    static Action setSource(IpAddress address) {
        return set(source(address.family()), address);
    }

    static Action setDestination(IpAddress address) {
        return set(destination(address.family()), address);
    }

    static Field source(IpFamily family) {
        return switch (family) {
            case IPV4 -> Field.IPV4_SRC;
            case IPV6 -> Field.IPV6_SRC;
        };
    }

    static Field destination(IpFamily family) {
        return switch (family) {
            case IPV4 -> Field.IPV4_DST;
            case IPV6 -> Field.IPV6_DST;
        };
    }

    static Field sourcePort(Transport transport) {
        return switch (transport) {
            case TCP -> Field.TCP_SRC;
            case UDP -> Field.UDP_SRC;
        };
    }

    static Field destinationPort(Transport transport) {
        return switch (transport) {
            case TCP -> Field.TCP_DST;
            case UDP -> Field.UDP_DST;
        };
    }

    /** Returns the condition that a field of the address's width holds the address. */
    static Match.Term term(Field field, IpAddress address) {
        return switch (address) {
            case Ipv4Address(int bits) -> new Match.Term(field, Integer.toUnsignedLong(bits), field.fullMask());
            case Ipv6Address(long high, long low) -> Match.Term.wide(field, high, low);
        };
    }

    /** Returns the action that writes the address into a field of its width. */
    static Action set(Field field, IpAddress address) {
        return switch (address) {
            case Ipv4Address(int bits) -> new Action.SetField(field, Integer.toUnsignedLong(bits));
            case Ipv6Address(long high, long low) -> Action.SetField.wide(field, high, low);
        };
    }

    /** Returns the multicast group that is asked who has the address (RFC 4291, 2.7.1). */
    static Ipv6Address solicitedNode(Ipv6Address address) {
        return new Ipv6Address(SOLICITED_NODE_HIGH, SOLICITED_NODE_LOW | (address.low() & SOLICITED_NODE_BITS));
    }
}
