package io.quorumlb.maglev;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which member owns each of M slots. Immutable; a lookup is an array read. */
public final class SlotTable {
    /** The owner of a slot that belongs to nobody. */
    public static final int NOBODY = 0;

    /** Smallest and largest number of slots. */
    public static final int SLOTS_MIN = 256;

    /** See {@link #SLOTS_MIN}. */
    public static final int SLOTS_MAX = 65_536;

    /** Largest pool id: what fits the hash basis of the switch and the flow cookie. */
    public static final int POOL_ID_MAX = 65_535;

    private final int[] owners;

    private SlotTable(int[] owners) {
        this.owners = owners;
    }

    /**
     * Builds the table for the members that take traffic.
     *
     * @param version recipe; the result is a function of it and of the other arguments only
     * @param poolId salt of the hash, so that pools spread independently, 1..65535
     * @param slots number of slots M, a power of two, 256..65536
     * @param members configured members in any order, no duplicates; none effective gives an empty table (fail-close)
     * @throws IllegalArgumentException naming the argument, its value and the limit
     */
    public static SlotTable build(HashAlgoVersion version, int poolId, int slots, Collection<TableMember> members) {
        requireSlots(slots);
        requirePoolId(poolId);
        requireDistinct(members);
        return new SlotTable(
                switch (version) {
                    case V1 -> Version1.owners(poolId, slots, members);
                });
    }

    /**
     * Returns the table that a switch holds.
     *
     * @param slots number of slots M
     * @param ownersBySlot member id by slot 0..M-1; a missing slot belongs to nobody
     */
    public static SlotTable readBack(int slots, SortedMap<Integer, Integer> ownersBySlot) {
        requireSlots(slots);
        int[] owners = new int[slots];
        ownersBySlot.forEach((slot, owner) -> {
            if (slot < 0 || slot >= slots) {
                throw new IllegalArgumentException("slot %d is outside 0..%d".formatted(slot, slots - 1));
            }
            owners[slot] = owner;
        });
        return new SlotTable(owners);
    }

    /** Checks that M is a power of two in 256..65536. */
    public static void requireSlots(int slots) {
        if (slots < SLOTS_MIN || slots > SLOTS_MAX || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException(
                    "slots %d: a power of two in %d..%d expected".formatted(slots, SLOTS_MIN, SLOTS_MAX));
        }
    }

    private static void requirePoolId(int poolId) {
        if (poolId < 1 || poolId > POOL_ID_MAX) {
            throw new IllegalArgumentException("pool id %d is outside 1..%d".formatted(poolId, POOL_ID_MAX));
        }
    }

    private static void requireDistinct(Collection<TableMember> members) {
        SortedMap<MemberKey, Integer> idByKey = new TreeMap<>();
        SortedMap<Integer, MemberKey> keyById = new TreeMap<>();
        for (TableMember member : members) {
            if (idByKey.put(member.key(), member.id()) != null) {
                throw new IllegalArgumentException("member %s is given twice".formatted(member.key()));
            }
            if (keyById.put(member.id(), member.key()) != null) {
                throw new IllegalArgumentException("member id %d is given twice".formatted(member.id()));
            }
        }
    }

    /** Returns M. */
    public int slots() {
        return owners.length;
    }

    /** Returns the member id that owns the slot, or {@link #NOBODY}. */
    public int owner(int slot) {
        return owners[slot];
    }

    /** Returns true if no slot has an owner: nothing is forwarded. */
    public boolean isEmpty() {
        return Arrays.stream(owners).allMatch(owner -> owner == NOBODY);
    }

    /** Returns the number of slots per member id, unowned slots left out. */
    public SortedMap<Integer, Integer> slotsByMember() {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (int owner : owners) {
            if (owner != NOBODY) {
                counts.merge(owner, 1, Integer::sum);
            }
        }
        return Collections.unmodifiableSortedMap(counts);
    }

    /** Returns SHA-256 over the member id of each slot as four big-endian bytes, slot 0 first; nobody counts as 0. */
    public Digest digest() {
        byte[] bytes = new byte[owners.length * Integer.BYTES];
        for (int slot = 0; slot < owners.length; slot++) {
            int owner = owners[slot];
            int at = slot * Integer.BYTES;
            bytes[at] = (byte) (owner >>> 24);
            bytes[at + 1] = (byte) (owner >>> 16);
            bytes[at + 2] = (byte) (owner >>> 8);
            bytes[at + 3] = (byte) owner;
        }
        return Digest.of(bytes);
    }

    /** Returns true if every slot has the same owner. */
    @Override
    public boolean equals(Object other) {
        return other instanceof SlotTable table && Arrays.equals(owners, table.owners);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(owners);
    }

    /** Returns M, the counts and the digest. */
    @Override
    public String toString() {
        return "SlotTable[slots=%d, slotsByMember=%s, digest=%s]".formatted(slots(), slotsByMember(), digest());
    }
}
