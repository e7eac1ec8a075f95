package io.quorumlb.maglev;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * Everything a slot table is a function of.
 *
 * @param version recipe
 * @param poolId salt of the hash, so that pools spread independently, 1..65535
 * @param slots number of slots M, a power of two, 256..65536
 * @param members configured members by key, at most 65536; keys and ids are distinct
 */
public record PoolDefinition(HashAlgoVersion version, int poolId, int slots, List<TableMember> members) {
    private static final Comparator<TableMember> BY_KEY = Comparator.comparing(TableMember::key);

    /**
     * Checks the ranges and sorts the members.
     *
     * @throws TableRefusedException naming the argument, its value and the limit
     */
    public PoolDefinition {
        SlotTable.requireSlots(slots);
        if (poolId < 1 || poolId > SlotTable.POOL_ID_MAX) {
            throw new TableRefusal.PoolIdOutOfRange(poolId).exception();
        }
        if (members.size() > SlotTable.SLOTS_MAX) {
            throw new TableRefusal.TooManyMembers(members.size()).exception();
        }
        members = sorted(members);
        requireDistinctIds(members);
    }

    /** Returns the definition of members in any order; see the constructor. */
    public static PoolDefinition of(HashAlgoVersion version, int poolId, int slots, Collection<TableMember> members) {
        return new PoolDefinition(version, poolId, slots, List.copyOf(members));
    }

    private static List<TableMember> sorted(List<TableMember> members) {
        TableMember[] ranked = members.toArray(TableMember[]::new);
        Arrays.sort(ranked, BY_KEY);
        for (int i = 1; i < ranked.length; i++) {
            if (ranked[i].key().equals(ranked[i - 1].key())) {
                throw new TableRefusal.DuplicateKey(ranked[i].key()).exception();
            }
        }
        return List.of(ranked);
    }

    private static void requireDistinctIds(List<TableMember> members) {
        int[] ids = new int[members.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = members.get(i).id();
        }
        Arrays.sort(ids);
        for (int i = 1; i < ids.length; i++) {
            if (ids[i] == ids[i - 1]) {
                throw new TableRefusal.DuplicateId(ids[i]).exception();
            }
        }
    }

    /**
     * Returns why nobody may ask for this; empty if it is allowed.
     *
     * <p>To be asked before a definition is written. A table can be built from a definition that is refused here: what
     * was once committed must never fail to build.
     */
    public Optional<TableRefusal> refusal() {
        return switch (version) {
            case V1 -> crowded();
            case V2 -> starved();
        };
    }

    /** Version 1 gives every effective member a slot, which the documents define only while that leaves enough. */
    private Optional<TableRefusal> crowded() {
        long weights = members.stream().mapToLong(TableMember::effectiveWeight).sum();
        long quotas = quotas(slots, weights);
        if (quotas <= slots) {
            return Optional.empty();
        }
        return members.stream()
                .filter(member -> member.effectiveWeight() > 0)
                .min(Comparator.comparingInt(TableMember::effectiveWeight))
                .map(member -> new TableRefusal.QuotasOverSlots(
                        member.key(),
                        member.effectiveWeight(),
                        quotas,
                        slots,
                        leastSlots(larger -> quotas(larger, weights) <= larger)));
    }

    private long quotas(int slotsGiven, long weights) {
        return members.stream()
                .filter(member -> member.effectiveWeight() > 0)
                .mapToLong(member -> Math.max(1, (long) slotsGiven * member.effectiveWeight() / weights))
                .sum();
    }

    /** Version 2 has no minimum: whoever is configured must be worth a slot. */
    private Optional<TableRefusal> starved() {
        long weights = members.stream().mapToLong(TableMember::weight).sum();
        return members.stream()
                .filter(member -> member.weight() > 0)
                .min(Comparator.comparingInt(TableMember::weight))
                .filter(lightest -> (long) slots * lightest.weight() < weights)
                .map(lightest -> new TableRefusal.ShareUnderOneSlot(
                        lightest.key(),
                        lightest.weight(),
                        weights,
                        slots,
                        leastSlots(larger -> (long) larger * lightest.weight() >= weights)));
    }

    private static OptionalInt leastSlots(IntPredicate enough) {
        for (int slots = SlotTable.SLOTS_MIN; slots <= SlotTable.SLOTS_MAX; slots *= 2) {
            if (enough.test(slots)) {
                return OptionalInt.of(slots);
            }
        }
        return OptionalInt.empty();
    }

    /** Returns the generation digest: it covers this whole definition, where the table's covers only who owns what. */
    public Digest digest() {
        return DigestBytes.ofDefinition(this);
    }
}
