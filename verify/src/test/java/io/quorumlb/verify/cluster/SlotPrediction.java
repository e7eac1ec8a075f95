package io.quorumlb.verify.cluster;

import io.quorumlb.maglev.IpAddress;

/**
 * The slot that a packet gets, computed here as Open vSwitch's {@code multipath(symmetric_l3l4+udp, basis, modulo_n, M)}
 * does it: murmur over addresses, protocol and ports, each pair combined by XOR, in network byte order read as
 * little-endian.
 */
final class SlotPrediction {
    static final int TCP = 6;
    static final int UDP = 17;

    private SlotPrediction() {}

    /** Returns the slot, 0..M-1, of a connection from the client's address and port to the pool's HTTP listener. */
    static int slot(SitePool pool, String client, int sourcePort) {
        return slot(pool, TCP, client, sourcePort, SitePool.VIP_PORT);
    }

    /** Returns the slot, 0..M-1, of a packet to a port of the pool's VIP. */
    static int slot(SitePool pool, int protocol, String client, int sourcePort, int port) {
        byte[] source = IpAddress.parse(client).bytes();
        byte[] destination = IpAddress.parse(pool.vip()).bytes();
        int hash = pool.id();
        for (int i = 0; i < source.length; i += Integer.BYTES) {
            int word = 0;
            for (int j = Integer.BYTES - 1; j >= 0; j--) {
                word = (word << Byte.SIZE) | Byte.toUnsignedInt((byte) (source[i + j] ^ destination[i + j]));
            }
            hash = add(hash, word);
        }
        hash = add(hash, protocol);
        hash = add(hash, Short.toUnsignedInt(Short.reverseBytes((short) (sourcePort ^ port))));
        return Integer.remainderUnsigned(finish(hash ^ pool.id()), SitePool.SLOTS);
    }

    private static int add(int hash, int data) {
        int mixed = Integer.rotateLeft(data * 0xcc9e2d51, 15) * 0x1b873593;
        return Integer.rotateLeft(hash ^ mixed, 13) * 5 + 0xe6546b64;
    }

    private static int finish(int hash) {
        int mixed = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
        return mixed ^ (mixed >>> 16);
    }
}
