package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Field;

/**
 * The packet hash of {@code multipath(symmetric_l3l4+udp, basis, modulo_n, ...)} as Open vSwitch computes it where it is built without hardware CRC: murmur over addresses, protocol and ports, each pair combined by XOR, in
 * network byte order read as little-endian.
 */
final class PacketHash {
    private static final int ETH_TYPE_IPV4 = 0x0800;
    private static final int ETH_TYPE_IPV6 = 0x86dd;
    private static final int IPPROTO_TCP = 6;
    private static final int IPPROTO_UDP = 17;

    private PacketHash() {}

    /**
     * Returns the link, 0..links-1; 0 for what is not IP.
     *
     * @param values header values by {@link FieldIndex}
     */
    static int link(long[] values, int basis, int links) {
        long type = values[FieldIndex.of(Field.ETH_TYPE)];
        int hash = basis;
        if (type == ETH_TYPE_IPV4) {
            hash = addWord(hash, values[FieldIndex.of(Field.IPV4_SRC)] ^ values[FieldIndex.of(Field.IPV4_DST)]);
        } else if (type == ETH_TYPE_IPV6) {
            long high = values[FieldIndex.high(Field.IPV6_SRC)] ^ values[FieldIndex.high(Field.IPV6_DST)];
            long low = values[FieldIndex.of(Field.IPV6_SRC)] ^ values[FieldIndex.of(Field.IPV6_DST)];
            for (long word : new long[] {high >>> 32, high, low >>> 32, low}) {
                hash = addWord(hash, word);
            }
        } else {
            return 0;
        }
        int protocol = (int) values[FieldIndex.of(Field.IP_PROTO)];
        hash = add(hash, protocol);
        if (values[FieldIndex.of(Field.IP_FRAG)] != 0) {
            return Integer.remainderUnsigned(finish(hash ^ basis), links);
        }
        if (protocol == IPPROTO_TCP) {
            hash = addPorts(hash, values[FieldIndex.of(Field.TCP_SRC)] ^ values[FieldIndex.of(Field.TCP_DST)]);
        } else if (protocol == IPPROTO_UDP) {
            hash = addPorts(hash, values[FieldIndex.of(Field.UDP_SRC)] ^ values[FieldIndex.of(Field.UDP_DST)]);
        }
        return Integer.remainderUnsigned(finish(hash ^ basis), links);
    }

    private static int addWord(int hash, long word) {
        return add(hash, Integer.reverseBytes((int) word));
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
