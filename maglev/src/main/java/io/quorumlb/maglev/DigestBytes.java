package io.quorumlb.maglev;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The bytes under each digest, big endian throughout. */
final class DigestBytes {
    private static final String TABLE_LABEL = "quorumlb/slots/2";
    private static final String DEFINITION_LABEL = "quorumlb/generation/1";
    private static final int UNOWNED_INDEX = 0xffff;
    private static final int MEMBER_BYTES = 32;
    /** Sorts behind every IPv4 key and before every IPv6 key; no key starts with it. */
    private static final String STRANGER_MARK = "?";

    private DigestBytes() {}

    /** Version 1: the member id of each slot, four bytes each. */
    static Digest ofIds(int[] owners) {
        BigEndian bytes = new BigEndian(owners.length * Integer.BYTES);
        for (int owner : owners) {
            bytes.u32(owner);
        }
        return Digest.of(bytes.toBytes());
    }

    /**
     * Version 2: pool, log2 M, the owners' keys, and for each slot the index of its owner's key.
     *
     * <p>What only a read-back can hold has a form of its own: an id without a member counts as key {@code ?id}, a slot
     * without owner in a table that is not empty as index 65535.
     */
    static Digest ofKeys(PoolDefinition definition, int[] owners) {
        OwnerIndex index = new OwnerIndex(definition.members().size());
        int[] numbers = new int[owners.length];
        for (int slot = 0; slot < owners.length; slot++) {
            numbers[slot] = owners[slot] == SlotTable.NOBODY ? -1 : index.number(owners[slot]);
        }
        SortedMap<String, Integer> idByKey = owningIds(definition, index);
        BigEndian bytes = new BigEndian(MEMBER_BYTES * (idByKey.size() + 1) + owners.length * Short.BYTES)
                .ascii(TABLE_LABEL)
                .u16(definition.poolId())
                .u8(Integer.numberOfTrailingZeros(owners.length))
                .u32(idByKey.size());
        int[] ranks = new int[idByKey.size()];
        int rank = 0;
        for (var owner : idByKey.entrySet()) {
            bytes.text(owner.getKey());
            ranks[index.number(owner.getValue())] = rank++;
        }
        if (rank > 0) {
            for (int number : numbers) {
                bytes.u16(number < 0 ? UNOWNED_INDEX : ranks[number]);
            }
        }
        return Digest.of(bytes.toBytes());
    }

    private static SortedMap<String, Integer> owningIds(PoolDefinition definition, OwnerIndex index) {
        SortedMap<String, Integer> idByKey = new TreeMap<>();
        boolean[] known = new boolean[index.size()];
        for (TableMember member : definition.members()) {
            int number = index.find(member.id());
            if (number >= 0) {
                known[number] = true;
                idByKey.put(member.key().toString(), member.id());
            }
        }
        for (int number = 0; number < known.length; number++) {
            if (!known[number]) {
                int id = index.id(number);
                idByKey.put(STRANGER_MARK + Integer.toUnsignedString(id), id);
            }
        }
        return idByKey;
    }

    /** The whole definition: pool, version, log2 M and each configured member. */
    static Digest ofDefinition(PoolDefinition definition) {
        List<TableMember> members = definition.members();
        BigEndian bytes = new BigEndian(MEMBER_BYTES * (members.size() + 1))
                .ascii(DEFINITION_LABEL)
                .u16(definition.poolId())
                .u8(definition.version().number())
                .u8(Integer.numberOfTrailingZeros(definition.slots()))
                .u32(members.size());
        for (TableMember member : members) {
            bytes.text(member.key().toString())
                    .u32(member.id())
                    .u16(member.weight())
                    .u16(member.effectiveWeight());
        }
        return Digest.of(bytes.toBytes());
    }
}
