package io.quorumlb.lbctl;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.proto.v1.GetPoolSlotsResponse;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.MemberShare;
import java.util.Optional;
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
        Optional<HashAlgoVersion> version = version(slots.getAlgorithm());
        if (version.isEmpty() || slots.getExpectedDigest().isEmpty()) {
            return NOT_CHECKED;
        }
        SortedMap<Integer, Integer> owners = new TreeMap<>();
        for (int slot = 0; slot < slots.getOwnersCount(); slot++) {
            if (slots.getOwners(slot) != SlotTable.NOBODY) {
                owners.put(slot, slots.getOwners(slot));
            }
        }
        try {
            var definition = new PoolDefinition(
                    version.get(),
                    slots.getPoolId(),
                    slots.getOwnersCount(),
                    slots.getMembersList().stream().map(SlotsDigest::member).toList());
            String digest = SlotTable.readBack(definition, owners).digest().hex();
            return digest.equals(slots.getExpectedDigest()) ? EQUAL : DIFFERENT;
        } catch (IllegalArgumentException e) {
            // Not a possible table: the number of slots, a key or an id is not one.
            return DIFFERENT;
        }
    }

    private static Optional<HashAlgoVersion> version(HashAlgorithm algorithm) {
        return switch (algorithm) {
            case HASH_ALGORITHM_V1 -> Optional.of(HashAlgoVersion.V1);
            case HASH_ALGORITHM_V2 -> Optional.of(HashAlgoVersion.V2);
            case HASH_ALGORITHM_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    private static TableMember member(MemberShare member) {
        return new TableMember(
                member.getId(), MemberKey.parse(member.getAddress()), member.getWeight(), member.getEffectiveWeight());
    }
}
