package io.quorumlb.verify.contract;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The header fields of a packet and the port it came in by; not changed by anybody. Registers are not part of it. */
public final class Packet {
    private static final int IPPROTO_TCP = 6;
    private static final int ETH_TYPE_IPV4 = 0x0800;
    private static final int ETH_TYPE_ARP = 0x0806;
    private static final int ARP_REQUEST = 1;
    private static final int TTL = 64;
    private static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

    private final long[] values;

    private Packet(long[] values) {
        this.values = values;
    }

    /** Returns a TCP packet with a time to live of 64. */
    public static Packet tcp(
            int inPort,
            MacAddress source,
            MacAddress destination,
            Ipv4Address from,
            int fromPort,
            Ipv4Address to,
            int toPort) {
        return new Packet(new long[FieldIndex.FIELDS])
                .with(Field.IN_PORT, Integer.toUnsignedLong(inPort))
                .with(Field.ETH_SRC, source.value())
                .with(Field.ETH_DST, destination.value())
                .with(Field.ETH_TYPE, ETH_TYPE_IPV4)
                .with(Field.IP_PROTO, IPPROTO_TCP)
                .with(Field.IP_TTL, TTL)
                .with(Field.IPV4_SRC, Integer.toUnsignedLong(from.bits()))
                .with(Field.IPV4_DST, Integer.toUnsignedLong(to.bits()))
                .with(Field.TCP_SRC, fromPort)
                .with(Field.TCP_DST, toPort);
    }

    /** Returns the question of somebody for the MAC address of an IP address. */
    public static Packet arpRequest(int inPort, MacAddress asker, Ipv4Address from, Ipv4Address wanted) {
        return new Packet(new long[FieldIndex.FIELDS])
                .with(Field.IN_PORT, Integer.toUnsignedLong(inPort))
                .with(Field.ETH_SRC, asker.value())
                .with(Field.ETH_DST, BROADCAST.value())
                .with(Field.ETH_TYPE, ETH_TYPE_ARP)
                .with(Field.ARP_OP, ARP_REQUEST)
                .with(Field.ARP_SPA, Integer.toUnsignedLong(from.bits()))
                .with(Field.ARP_TPA, Integer.toUnsignedLong(wanted.bits()))
                .with(Field.ARP_SHA, asker.value());
    }

    /** Returns this packet with another value in a field. */
    public Packet with(Field field, long value) {
        if ((value & ~field.fullMask()) != 0) {
            throw new IllegalArgumentException(
                    "%s: 0x%x does not fit %d bits".formatted(field.ovsName(), value, field.bits()));
        }
        long[] copy = values.clone();
        copy[FieldIndex.of(field)] = value;
        return new Packet(copy);
    }

    /** Returns a field; zero if the packet has no such field. */
    public long get(Field field) {
        return values[FieldIndex.of(field)];
    }

    /** Returns the port it came in by. */
    public int inPort() {
        return (int) get(Field.IN_PORT);
    }

    /** Returns the IPv4 destination. */
    public Ipv4Address destination() {
        return new Ipv4Address((int) get(Field.IPV4_DST));
    }

    /** Returns the IPv4 source. */
    public Ipv4Address source() {
        return new Ipv4Address((int) get(Field.IPV4_SRC));
    }

    /** Returns the TCP destination port. */
    public int destinationPort() {
        return (int) get(Field.TCP_DST);
    }

    /** Returns the TCP source port. */
    public int sourcePort() {
        return (int) get(Field.TCP_SRC);
    }

    /** Returns the destination's MAC address. */
    public MacAddress destinationMac() {
        return new MacAddress(get(Field.ETH_DST));
    }

    /** Returns the source's MAC address. */
    public MacAddress sourceMac() {
        return new MacAddress(get(Field.ETH_SRC));
    }

    /** Returns a copy of all values by {@link FieldIndex}, registers as zero. */
    long[] values() {
        return values.clone();
    }

    /** Returns the packet whose headers stand in an array of values; registers are left out. */
    static Packet of(long[] values) {
        long[] copy = values.clone();
        for (Field register : Classifier.REGISTERS) {
            copy[FieldIndex.of(register)] = 0;
        }
        return new Packet(copy);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Packet packet && Arrays.equals(values, packet.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** Returns the fields that are not zero. */
    @Override
    public String toString() {
        return Stream.of(Field.values())
                .filter(field -> get(field) != 0)
                .map(field -> field.ovsName() + "=0x" + Long.toHexString(get(field)))
                .collect(Collectors.joining(",", "packet(", ")"));
    }
}
