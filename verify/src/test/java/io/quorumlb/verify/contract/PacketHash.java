package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Field;

/**
 * The packet hash of {@code multipath(symmetric_l3l4+udp, basis, modulo_n, ...)} for IPv4 as Open vSwitch computes it where it is built without hardware CRC: murmur over addresses, protocol and ports, each pair combined by XOR, in
 * network byte order read as little-endian.
 */
final class PacketHash {
    private static final int ETH_TYPE_IPV4 = 0x0800;
    private static final int IPPROTO_TCP = 6;
    private static final int IPPROTO_UDP = 17;

    private PacketHash() {}

    /**
     * Returns the link, 0..links-1; 0 for what is not IPv4.
     *
     * @param values header values by {@link FieldIndex}
     */
    static int link(long[] values, int basis, int links) {
        if (values[FieldIndex.of(Field.ETH_TYPE)] != ETH_TYPE_IPV4) {
            return 0;
        }
        int addresses = (int) (values[FieldIndex.of(Field.IPV4_SRC)] ^ values[FieldIndex.of(Field.IPV4_DST)]);
        int hash = add(basis, Integer.reverseBytes(addresses));
        int protocol = (int) values[FieldIndex.of(Field.IP_PROTO)];
        hash = add(hash, protocol);
        if (protocol == IPPROTO_TCP) {
            hash = addPorts(hash, values[FieldIndex.of(Field.TCP_SRC)] ^ values[FieldIndex.of(Field.TCP_DST)]);
        } else if (protocol == IPPROTO_UDP) {
            hash = addPorts(hash, values[FieldIndex.of(Field.UDP_SRC)] ^ values[FieldIndex.of(Field.UDP_DST)]);
        }
        return Integer.remainderUnsigned(finish(hash ^ basis), links);
    }

    private static int addPorts(int hash, long combined) {
        return add(hash, Short.toUnsignedInt(Short.reverseBytes((short) combined)));
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
