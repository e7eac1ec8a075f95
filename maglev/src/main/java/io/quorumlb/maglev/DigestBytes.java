package io.quorumlb.maglev;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

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
        SortedMap<String, Integer> idByKey = owningIds(definition, owners);
        BigEndian bytes = new BigEndian(MEMBER_BYTES * (idByKey.size() + 1) + owners.length * Short.BYTES)
                .ascii(TABLE_LABEL)
                .u16(definition.poolId())
                .u8(Integer.numberOfTrailingZeros(owners.length))
                .u32(idByKey.size());
        SortedMap<Integer, Integer> indexById = new TreeMap<>();
        idByKey.forEach((key, id) -> {
            indexById.put(id, indexById.size());
            bytes.text(key);
        });
        if (!idByKey.isEmpty()) {
            slots(bytes, owners, indexById);
        }
        return Digest.of(bytes.toBytes());
    }

    private static void slots(BigEndian bytes, int[] owners, SortedMap<Integer, Integer> indexById) {
        int[] ids = indexById.keySet().stream().mapToInt(Integer::intValue).toArray();
        int[] indices = indexById.values().stream().mapToInt(Integer::intValue).toArray();
        for (int owner : owners) {
            bytes.u16(owner == SlotTable.NOBODY ? UNOWNED_INDEX : indices[Arrays.binarySearch(ids, owner)]);
        }
    }

    private static SortedMap<String, Integer> owningIds(PoolDefinition definition, int[] owners) {
        SortedSet<Integer> strangers = distinctOwners(owners);
        SortedMap<String, Integer> idByKey = new TreeMap<>();
        for (TableMember member : definition.members()) {
            if (strangers.remove(member.id())) {
                idByKey.put(member.key().toString(), member.id());
            }
        }
        strangers.forEach(id -> idByKey.put(STRANGER_MARK + Integer.toUnsignedString(id), id));
        return idByKey;
    }

    private static SortedSet<Integer> distinctOwners(int[] owners) {
        int[] sorted = owners.clone();
        Arrays.sort(sorted);
        SortedSet<Integer> ids = new TreeSet<>();
        int last = SlotTable.NOBODY;
        for (int id : sorted) {
            if (id != last && id != SlotTable.NOBODY) {
                ids.add(id);
            }
            last = id;
        }
        return ids;
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
