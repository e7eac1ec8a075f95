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

    private final PoolDefinition definition;
    private final int[] owners;

    SlotTable(PoolDefinition definition, int[] owners) {
        this.definition = definition;
        this.owners = owners;
    }

    /**
     * Builds the table for the members that take traffic.
     *
     * @param version recipe; the result is a function of it and of the other arguments only
     * @param poolId salt of the hash, so that pools spread independently, 1..65535
     * @param slots number of slots M, a power of two, 256..65536
     * @param members configured members in any order, no duplicates; none effective gives an empty table (fail-close)
     * @throws TableRefusedException naming the argument, its value and the limit
     */
    public static SlotTable build(HashAlgoVersion version, int poolId, int slots, Collection<TableMember> members) {
        return build(PoolDefinition.of(version, poolId, slots, members));
    }

    /** Builds the table that the definition describes; {@link TableBuilder} is faster for several of one pool. */
    public static SlotTable build(PoolDefinition definition) {
        return new TableBuilder().build(definition);
    }

    /**
     * Returns the table that a switch holds.
     *
     * @param definition what it should be built from: gives M, and the keys for the digest
     * @param ownersBySlot member id by slot 0..M-1; a missing slot belongs to nobody
     * @throws IllegalArgumentException if a slot is outside the table
     */
    public static SlotTable readBack(PoolDefinition definition, SortedMap<Integer, Integer> ownersBySlot) {
        int slots = definition.slots();
        int[] owners = new int[slots];
        ownersBySlot.forEach((slot, owner) -> {
            if (slot < 0 || slot >= slots) {
                throw new IllegalArgumentException("slot %d is outside 0..%d".formatted(slot, slots - 1));
            }
            owners[slot] = owner;
        });
        return new SlotTable(definition, owners);
    }

    /**
     * Checks that M is a power of two in 256..65536.
     *
     * @throws TableRefusedException if it is not
     */
    public static void requireSlots(int slots) {
        if (slots < SLOTS_MIN || slots > SLOTS_MAX || Integer.bitCount(slots) != 1) {
            throw new TableRefusal.SlotsNotAllowed(slots).exception();
        }
    }

    /** Returns what it was built from, or should have been. */
    public PoolDefinition definition() {
        return definition;
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
        OwnerIndex index = new OwnerIndex(definition.members().size());
        int[] counts = new int[owners.length];
        for (int owner : owners) {
            if (owner != NOBODY) {
                counts[index.number(owner)]++;
            }
        }
        SortedMap<Integer, Integer> slots = new TreeMap<>();
        for (int number = 0; number < index.size(); number++) {
            slots.put(index.id(number), counts[number]);
        }
        return Collections.unmodifiableSortedMap(slots);
    }

    /** Returns the digest of the table: version 1 over the ids of the owners, version 2 over their keys. */
    public Digest digest() {
        return switch (definition.version()) {
            case V1 -> DigestBytes.ofIds(owners);
            case V2 -> DigestBytes.ofKeys(definition, owners);
        };
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
