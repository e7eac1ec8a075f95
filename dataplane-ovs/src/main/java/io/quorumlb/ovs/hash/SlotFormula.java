package io.quorumlb.ovs.hash;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.SlotFunction;
import java.util.Arrays;

/**
 * The slots that Open vSwitch gives to packets, computed here. The recipe is that of builds without hardware CRC
 * ({@code lib/hash.h}: murmur; {@code lib/jhash.c}); a switch built otherwise gives other slots, which is why the
 * fingerprint asks the switch itself.
 *
 * <p>Addresses, ports and pairs of them combined by XOR are read as little-endian words of their network byte order.
 */
public final class SlotFormula {
    private static final int SLOTS_MAX = 65_536;
    private static final int ETH_TYPE_IPV4 = 0x0800;
    private static final int ETH_TYPE_IPV6 = 0x86dd;
    private static final int SYMMETRIC_L3_BYTES = 20;
    private static final int ETH_TYPE_AT = 16;
    private static final int JHASH_START = 0xdeadbeef;

    private SlotFormula() {}

    /**
     * Returns the slot of a packet.
     *
     * @param function the cluster's slot function
     * @param fields what the listener's hash reads
     * @param tuple the packet; not a fragment
     * @param basis salt, 0..65535: the pool id
     * @param slots number of slots M, 1..65536; a power of two where the datapath's hash decides
     */
    public static int slot(SlotFunction function, HashFields fields, Tuple tuple, int basis, int slots) {
        if (slots < 1 || slots > SLOTS_MAX) {
            throw new IllegalArgumentException("slots must be 1..%d, are %d".formatted(SLOTS_MAX, slots));
        }
        if (byDatapath(function, fields, tuple.protocol())) {
            return datapathHash(tuple, basis) & (slots - 1);
        }
        int hash = switch (fields) {
            case FIVE_TUPLE -> fiveTuple(tuple, basis);
            case ADDRESSES -> jhash(bothAddresses(tuple), basis);
            case SOURCE_ADDRESS -> jhash(tuple.source().bytes(), basis);
        };
        return Integer.remainderUnsigned(hash, slots);
    }

    /** Returns the slot of a fragment, the first one too: the table's hashes leave its ports out. */
    public static int slotOfFragment(HashFields fields, Tuple tuple, int basis, int slots) {
        return fields == HashFields.FIVE_TUPLE
                ? Integer.remainderUnsigned(finish(add(addresses(tuple, basis), tuple.protocol()), basis), slots)
                : slot(SlotFunction.MULTIPATH, fields, tuple, basis, slots);
    }

    /** Returns true if the datapath's hash decides: it has ports for TCP only, and never goes without them. */
    public static boolean byDatapath(SlotFunction function, HashFields fields, int protocol) {
        return function == SlotFunction.DP_HASH && fields == HashFields.FIVE_TUPLE && protocol == Tuple.TCP;
    }

    /** {@code symmetric_l3l4+udp}. */
    private static int fiveTuple(Tuple tuple, int basis) {
        int hash = add(addresses(tuple, basis), tuple.protocol());
        if (tuple.protocol() == Tuple.TCP || tuple.protocol() == Tuple.UDP) {
            hash = add(hash, ports(tuple));
        }
        return finish(hash, basis);
    }

    /** {@code dp_hash} with algorithm {@code OVS_HASH_ALG_SYM_L4}, for TCP. */
    private static int datapathHash(Tuple tuple, int basis) {
        return finish(add(add(addresses(tuple, basis), tuple.protocol()), ports(tuple)), basis);
    }

    /** {@code symmetric_l3}: room for IPv6, the Ethernet type, filled up to whole words. */
    private static byte[] bothAddresses(Tuple tuple) {
        byte[] fields = new byte[SYMMETRIC_L3_BYTES];
        byte[] source = tuple.source().bytes();
        byte[] destination = tuple.destination().bytes();
        for (int at = 0; at < source.length; at++) {
            fields[at] = (byte) (source[at] ^ destination[at]);
        }
        int type = tuple.source() instanceof Ipv4Address ? ETH_TYPE_IPV4 : ETH_TYPE_IPV6;
        fields[ETH_TYPE_AT] = (byte) (type >>> 8);
        fields[ETH_TYPE_AT + 1] = (byte) type;
        return fields;
    }

    private static int addresses(Tuple tuple, int basis) {
        byte[] source = tuple.source().bytes();
        byte[] destination = tuple.destination().bytes();
        int hash = basis;
        for (int at = 0; at < source.length; at += Integer.BYTES) {
            hash = add(hash, word(source, at) ^ word(destination, at));
        }
        return hash;
    }

    private static int ports(Tuple tuple) {
        short combined = (short) (tuple.sourcePort() ^ tuple.destinationPort());
        return Short.toUnsignedInt(Short.reverseBytes(combined));
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

    /** {@code jhash_bytes}: Bob Jenkins' hash of 2006, whole words. */
    private static int jhash(byte[] bytes, int basis) {
        int start = JHASH_START + bytes.length + basis;
        int[] state = {start, start, start};
        int at = 0;
        for (int left = bytes.length; left > 12; left -= 12, at += 12) {
            state[0] += word(bytes, at);
            state[1] += word(bytes, at + 4);
            state[2] += word(bytes, at + 8);
            mix(state);
        }
        byte[] tail = Arrays.copyOf(Arrays.copyOfRange(bytes, at, bytes.length), 12);
        state[0] += word(tail, 0);
        state[1] += word(tail, 4);
        state[2] += word(tail, 8);
        return last(state);
    }

    private static void mix(int[] s) {
        step(s, 0, 2, 1, 4);
        step(s, 1, 0, 2, 6);
        step(s, 2, 1, 0, 8);
        step(s, 0, 2, 1, 16);
        step(s, 1, 0, 2, 19);
        step(s, 2, 1, 0, 4);
    }

    private static void step(int[] s, int to, int by, int grows, int bits) {
        s[to] -= s[by];
        s[to] ^= Integer.rotateLeft(s[by], bits);
        s[by] += s[grows];
    }

    private static int last(int[] s) {
        settle(s, 2, 1, 14);
        settle(s, 0, 2, 11);
        settle(s, 1, 0, 25);
        settle(s, 2, 1, 16);
        settle(s, 0, 2, 4);
        settle(s, 1, 0, 14);
        settle(s, 2, 1, 24);
        return s[2];
    }

    private static void settle(int[] s, int to, int by, int bits) {
        s[to] ^= s[by];
        s[to] -= Integer.rotateLeft(s[by], bits);
    }

    private static int word(byte[] bytes, int at) {
        return Byte.toUnsignedInt(bytes[at])
                | Byte.toUnsignedInt(bytes[at + 1]) << 8
                | Byte.toUnsignedInt(bytes[at + 2]) << 16
                | Byte.toUnsignedInt(bytes[at + 3]) << 24;
    }
}
