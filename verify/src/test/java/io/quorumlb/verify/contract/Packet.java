package io.quorumlb.verify.contract;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The header fields of a packet and the port it came in by; not changed by anybody. Registers are not part of it. */
public final class Packet {
    static final int IPPROTO_ICMP = 1;
    static final int IPPROTO_TCP = 6;
    static final int IPPROTO_UDP = 17;
    static final int IPPROTO_ICMPV6 = 58;
    static final int ETH_TYPE_IPV4 = 0x0800;
    static final int ETH_TYPE_IPV6 = 0x86dd;
    static final int ETH_TYPE_ARP = 0x0806;
    private static final int ARP_REQUEST = 1;
    private static final int SOLICITATION = 135;
    private static final int TTL = 64;
    private static final int HOP_LIMIT_OF_NEIGHBOURS = 255;
    private static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

    private final long[] words;

    private Packet(long[] words) {
        this.words = words;
    }

    private static Packet empty(int inPort, MacAddress source, MacAddress destination) {
        return new Packet(new long[FieldIndex.WORDS])
                .with(Field.IN_PORT, Integer.toUnsignedLong(inPort))
                .with(Field.ETH_SRC, source.value())
                .with(Field.ETH_DST, destination.value());
    }

    /** Returns a packet of some protocol with a time to live of 64, both addresses of one family. */
    public static Packet ip(
            int inPort, MacAddress source, MacAddress destination, IpAddress from, IpAddress to, int protocol) {
        return empty(inPort, source, destination)
                .with(Field.ETH_TYPE, from.family() == IpFamily.IPV4 ? ETH_TYPE_IPV4 : ETH_TYPE_IPV6)
                .with(Field.IP_PROTO, protocol)
                .with(Field.IP_TTL, TTL)
                .with(from.family() == IpFamily.IPV4 ? Field.IPV4_SRC : Field.IPV6_SRC, from)
                .with(from.family() == IpFamily.IPV4 ? Field.IPV4_DST : Field.IPV6_DST, to);
    }

    /** Returns a TCP packet with a time to live of 64. */
    public static Packet tcp(
            int inPort,
            MacAddress source,
            MacAddress destination,
            IpAddress from,
            int fromPort,
            IpAddress to,
            int toPort) {
        return ip(inPort, source, destination, from, to, IPPROTO_TCP)
                .with(Field.TCP_SRC, fromPort)
                .with(Field.TCP_DST, toPort);
    }

    /** Returns a UDP packet with a time to live of 64. */
    public static Packet udp(
            int inPort,
            MacAddress source,
            MacAddress destination,
            IpAddress from,
            int fromPort,
            IpAddress to,
            int toPort) {
        return ip(inPort, source, destination, from, to, IPPROTO_UDP)
                .with(Field.UDP_SRC, fromPort)
                .with(Field.UDP_DST, toPort);
    }

    /** Returns an ICMP packet with a time to live of 64. */
    public static Packet icmp(
            int inPort, MacAddress source, MacAddress destination, IpAddress from, IpAddress to, int type) {
        return from.family() == IpFamily.IPV4
                ? ip(inPort, source, destination, from, to, IPPROTO_ICMP).with(Field.ICMPV4_TYPE, type)
                : ip(inPort, source, destination, from, to, IPPROTO_ICMPV6).with(Field.ICMPV6_TYPE, type);
    }

    /** Returns the question of somebody for the MAC address of an IPv6 address, sent to the node alone. */
    public static Packet solicitation(
            int inPort, MacAddress asker, MacAddress asked, Ipv6Address from, Ipv6Address wanted) {
        return icmp(inPort, asker, asked, from, wanted, SOLICITATION)
                .with(Field.IP_TTL, HOP_LIMIT_OF_NEIGHBOURS)
                .with(Field.ND_TARGET, wanted)
                .with(Field.ND_SLL, asker.value());
    }

    /** Returns the question of somebody for the MAC address of an IP address. */
    public static Packet arpRequest(int inPort, MacAddress asker, Ipv4Address from, Ipv4Address wanted) {
        return empty(inPort, asker, BROADCAST)
                .with(Field.ETH_TYPE, ETH_TYPE_ARP)
                .with(Field.ARP_OP, ARP_REQUEST)
                .with(Field.ARP_SPA, from)
                .with(Field.ARP_TPA, wanted)
                .with(Field.ARP_SHA, asker.value());
    }

    /**
     * Returns this packet with another value in a field of at most 64 bits.
     *
     * @throws IllegalArgumentException if it does not fit
     */
    public Packet with(Field field, long value) {
        if ((value & ~field.fullMask()) != 0) {
            throw new IllegalArgumentException(
                    "%s: 0x%x does not fit %d bits".formatted(field.ovsName(), value, field.bits()));
        }
        return with(field, 0, value);
    }

    /** Returns this packet with another address in a field of its width. */
    public Packet with(Field field, IpAddress address) {
        return switch (address) {
            case Ipv4Address(int bits) -> with(field, 0, Integer.toUnsignedLong(bits));
            case Ipv6Address(long high, long low) -> with(field, high, low);
        };
    }

    private Packet with(Field field, long high, long low) {
        long[] copy = words.clone();
        copy[FieldIndex.of(field)] = low;
        copy[FieldIndex.high(field)] = high;
        return new Packet(copy);
    }

    /** Returns the low word of a field; zero if the packet has no such field. */
    public long get(Field field) {
        return words[FieldIndex.of(field)];
    }

    /** Returns the address in a field; zeros if the packet has no such field. */
    public IpAddress address(Field field) {
        return field.bits() == Integer.SIZE
                ? new Ipv4Address((int) get(field))
                : new Ipv6Address(words[FieldIndex.high(field)], get(field));
    }

    /** Returns whether it is IPv6. */
    boolean isIpv6() {
        return get(Field.ETH_TYPE) == ETH_TYPE_IPV6;
    }

    /** Returns the port it came in by. */
    public int inPort() {
        return (int) get(Field.IN_PORT);
    }

    /** Returns the destination address. */
    public IpAddress destination() {
        return address(isIpv6() ? Field.IPV6_DST : Field.IPV4_DST);
    }

    /** Returns the source address. */
    public IpAddress source() {
        return address(isIpv6() ? Field.IPV6_SRC : Field.IPV4_SRC);
    }

    /** Returns the destination port of TCP or UDP, zero for what has none. */
    public int destinationPort() {
        return (int) (get(Field.TCP_DST) | get(Field.UDP_DST));
    }

    /** Returns the source port of TCP or UDP, zero for what has none. */
    public int sourcePort() {
        return (int) (get(Field.TCP_SRC) | get(Field.UDP_SRC));
    }

    /** Returns the destination's MAC address. */
    public MacAddress destinationMac() {
        return new MacAddress(get(Field.ETH_DST));
    }

    /** Returns the source's MAC address. */
    public MacAddress sourceMac() {
        return new MacAddress(get(Field.ETH_SRC));
    }

    /** Returns a copy of all words by {@link FieldIndex}, registers as zero. */
    long[] values() {
        return words.clone();
    }

    /** Returns the packet whose headers stand in an array of words; registers are left out. */
    static Packet of(long[] words) {
        long[] copy = words.clone();
        for (Field register : Classifier.REGISTERS) {
            copy[FieldIndex.of(register)] = 0;
            copy[FieldIndex.high(register)] = 0;
        }
        return new Packet(copy);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Packet packet && Arrays.equals(words, packet.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    /** Returns the fields that are not zero. */
    @Override
    public String toString() {
        return Stream.of(Field.values())
                .filter(field -> get(field) != 0 || words[FieldIndex.high(field)] != 0)
                .map(field -> field.ovsName() + "="
                        + (field.bits() > Long.SIZE ? address(field) : "0x" + Long.toHexString(get(field))))
                .collect(Collectors.joining(",", "packet(", ")"));
    }
}
