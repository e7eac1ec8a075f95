package io.quorumlb.lbctl;

import io.quorumlb.maglev.SlotTable;
import io.quorumlb.proto.v1.GetPoolSlotsResponse;
import io.quorumlb.proto.v1.HashAlgorithm;
import java.util.SortedMap;
import java.util.TreeMap;

/** What recomputing the digest from the slots that came gives. */
enum SlotsDigest {
    /** The committed digest. */
    EQUAL,
    /** Another digest: the answer contradicts itself. */
    DIFFERENT,
    /** There is no generation yet, or this build does not know the algorithm. */
    NOT_CHECKED;

    /** Compares the slots in the answer with the digest in it. */
    static SlotsDigest check(GetPoolSlotsResponse slots) {
        if (slots.getAlgorithm() != HashAlgorithm.HASH_ALGORITHM_V1
                || slots.getExpectedDigest().isEmpty()) {
            return NOT_CHECKED;
        }
        SortedMap<Integer, Integer> owners = new TreeMap<>();
        for (int slot = 0; slot < slots.getOwnersCount(); slot++) {
            if (slots.getOwners(slot) != SlotTable.NOBODY) {
                owners.put(slot, slots.getOwners(slot));
            }
        }
        try {
            String digest =
                    SlotTable.readBack(slots.getOwnersCount(), owners).digest().hex();
            return digest.equals(slots.getExpectedDigest()) ? EQUAL : DIFFERENT;
        } catch (IllegalArgumentException e) {
            // Not a possible table: the number of slots or an id is out of range.
            return DIFFERENT;
        }
    }
}
