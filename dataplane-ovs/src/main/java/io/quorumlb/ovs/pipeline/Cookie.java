package io.quorumlb.ovs.pipeline;

import java.util.Optional;

/**
 * The layout of our cookies: owner (16 bits), kind (8), pool (16, 0 for none), object (24: slot, member or listener).
 */
public final class Cookie {
    /** The owner bits of every flow of ours. */
    public static final long OWNER = 0x5155L << 48;

    /** The bits that hold the owner. */
    public static final long OWNER_MASK = 0xffffL << 48;

    /** The bits that hold the owner and the pool. */
    public static final long POOL_MASK = OWNER_MASK | 0xffffL << 24;

    /** Pools whose ids differ in the last bits only are a block, which a switch finds in one go. */
    public static final int POOL_BLOCK = 32;

    /** Bits of a cookie that say whose flow it is and of which block's pools. */
    public static final long BLOCK_MASK = POOL_MASK & ~((POOL_BLOCK - 1L) << 24);

    /** The bits that begin the number of every group of ours, whose rest is a pool id. */
    static final int GROUP_OWNER = (int) (OWNER >>> 32);

    /** The bits of a group's number that hold the owner. */
    static final int GROUP_OWNER_MASK = (int) (OWNER_MASK >>> 32);

    private static final int OBJECT_BITS = 24;
    private static final int POOL_BITS = 16;
    private static final int OBJECT_MAX = (1 << OBJECT_BITS) - 1;
    private static final int POOL_MAX = (1 << POOL_BITS) - 1;

    /** What a flow is for. */
    public enum Kind {
        /** Ingress, answers of ARP and neighbour discovery. */
        INGRESS(0x00),
        /** Listener and slot function. */
        LISTENER(0x01),
        /** A slot. */
        SLOT(0x02),
        /** Address translation to a member. */
        MEMBER(0x03),
        /** Address translation of a member's replies. */
        UN_DNAT(0x04),
        /** Time to live, MAC addresses, output. */
        EGRESS(0x05),
        /** Answers to echo requests. */
        ECHO(0x06),
        /** A counted drop: fragments. */
        FRAGMENT(0x07),
        /** A counted drop: the pool has no owner for the slot. */
        FAIL_CLOSE(0x08),
        /** A table's own miss. */
        MISS(0x0d),
        /** The slot of a packet, told to the controller. */
        FINGERPRINT(0x0e),
        /** The generation marker. */
        MARKER(0x0f),
        /** A counted drop: no listener of the VIP takes it. */
        UNKNOWN_PORT(0x10),
        /** A counted drop: it lacks the ports of its protocol. */
        MALFORMED(0x11),
        /** A counted drop: its time to live is over. */
        TTL(0x12),
        /** A counted drop: the MAC address of the member or of the router is not known. */
        NO_MAC(0x13),
        /** A counted drop: neither for this node nor for a VIP. */
        NOT_OURS(0x14),
        /** A counted drop: ICMP to a VIP that is no echo request. */
        ICMP(0x15),
        /** A slot of all enabled members. */
        FAIL_OPEN(0x18),
        /** A counted drop that the client is told of: its pool has no member left. */
        REJECT(0x19);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** Returns the 8 bits in the cookie. */
        public int code() {
            return code;
        }
    }

    private Cookie() {}

    /**
     * Returns a cookie.
     *
     * @param kind what the flow is for
     * @param pool pool id, 0..65535, 0 for none
     * @param object slot, member or listener id, 0..16777215
     */
    static long of(Kind kind, int pool, int object) {
        if (pool < 0 || pool > POOL_MAX || object < 0 || object > OBJECT_MAX) {
            throw new IllegalArgumentException("cookie of pool %d, object %d: outside 0..%d or 0..%d"
                    .formatted(pool, object, POOL_MAX, OBJECT_MAX));
        }
        return OWNER | ((long) kind.code << (POOL_BITS + OBJECT_BITS)) | ((long) pool << OBJECT_BITS) | object;
    }

    /**
     * Returns the bits that a cookie of ours has under {@link #POOL_MASK} if its flow is for the pool.
     *
     * @param pool pool id, 1..65535
     */
    public static long ofPool(int pool) {
        return OWNER | (long) pool << OBJECT_BITS;
    }

    /** Returns true if a flow with this cookie is for the given purpose. */
    public static boolean isKind(long cookie, Kind kind) {
        return (int) (cookie >>> (POOL_BITS + OBJECT_BITS) & 0xff) == kind.code;
    }

    /** Returns what a flow with this cookie is for; empty for a kind that this program does not know. */
    static Optional<Kind> kind(long cookie) {
        for (Kind kind : Kind.values()) {
            if (isKind(cookie, kind)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Returns the pool a flow with this cookie is for, 0 for none. */
    public static int pool(long cookie) {
        return (int) (cookie >>> OBJECT_BITS) & POOL_MAX;
    }

    /** Returns the slot, member or listener a flow with this cookie is for. */
    static int object(long cookie) {
        return (int) cookie & OBJECT_MAX;
    }
}
