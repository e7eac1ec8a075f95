package io.quorumlb.verify.cluster;

import io.quorumlb.maglev.Ipv4Address;

/**
 * The slot that a connection's packets get, computed here as Open vSwitch's {@code multipath(symmetric_l3l4+udp, basis,
 * modulo_n, M)} does it for TCP: murmur over addresses, protocol and ports, each pair combined by XOR, in network byte
 * order read as little-endian.
 */
final class SlotPrediction {
    private static final int IPPROTO_TCP = 6;

    private SlotPrediction() {}

    /** Returns the slot, 0..M-1, of a connection from the client's address and port to the pool's VIP. */
    static int slot(SitePool pool, String client, int sourcePort) {
        int basis = pool.id();
        int addresses =
                Ipv4Address.parse(client).bits() ^ Ipv4Address.parse(pool.vip()).bits();
        int hash = add(basis, Integer.reverseBytes(addresses));
        hash = add(hash, IPPROTO_TCP);
        hash = add(hash, Short.toUnsignedInt(Short.reverseBytes((short) (sourcePort ^ SitePool.VIP_PORT))));
        return Integer.remainderUnsigned(finish(hash ^ basis), SitePool.SLOTS);
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
