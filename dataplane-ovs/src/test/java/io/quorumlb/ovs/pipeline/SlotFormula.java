package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The packet hash of {@code multipath(symmetric_l3l4+udp, basis, modulo_n, ...)}, computed here, as Open
 * vSwitch does it where it is built without hardware CRC: murmur over addresses, protocol and ports, each pair combined
 * by XOR, in network byte order read as little-endian.
 */
final class SlotFormula {
    private static final int IPPROTO_TCP = 6;

    private SlotFormula() {}

    /** Returns the slot, 0..slots-1, of a packet between two IPv4 addresses and TCP ports. */
    static int slot(int source, int destination, int sourcePort, int destinationPort, int basis, int slots) {
        return slot(
                new Ipv4Address(source),
                new Ipv4Address(destination),
                IPPROTO_TCP,
                sourcePort,
                destinationPort,
                basis,
                slots);
    }

    /** Returns the slot, 0..slots-1, of a TCP or UDP packet. */
    static int slot(
            IpAddress source,
            IpAddress destination,
            int protocol,
            int sourcePort,
            int destinationPort,
            int basis,
            int slots) {
        var from = ByteBuffer.wrap(source.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        var to = ByteBuffer.wrap(destination.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        int hash = basis;
        while (from.hasRemaining()) {
            hash = add(hash, from.getInt() ^ to.getInt());
        }
        hash = add(hash, protocol);
        hash = add(hash, Short.toUnsignedInt(Short.reverseBytes((short) (sourcePort ^ destinationPort))));
        return Integer.remainderUnsigned(finish(hash, basis), slots);
    }

    private static int add(int hash, int data) {
        int mixed = Integer.rotateLeft(data * 0xcc9e2d51, 15) * 0x1b873593;
        return Integer.rotateLeft(hash ^ mixed, 13) * 5 + 0xe6546b64;
    }

    private static int finish(int hash, int last) {
        int mixed = hash ^ last;
        mixed = (mixed ^ (mixed >>> 16)) * 0x85ebca6b;
        mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
        return mixed ^ (mixed >>> 16);
    }
}
