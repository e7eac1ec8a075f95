package io.quorumlb.maglev;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Version 1: each member walks the slots by its own offset and skip and takes one free slot per turn until its quota
 * is used up.
 */
final class Version1 {
    private Version1() {}

    /**
     * Returns the owner of each slot.
     *
     * @param keys of all members of the definition
     */
    static int[] owners(PoolDefinition definition, HashedKeys keys) {
        List<TableMember> members = definition.members();
        int[] active = IntStream.range(0, members.size())
                .filter(i -> members.get(i).effectiveWeight() > 0)
                .toArray();
        int[] owners = new int[definition.slots()];
        if (active.length > 0) {
            fill(owners, members, active, keys, quotas(owners.length, members, active));
        }
        return owners;
    }

    /** Proportional quota rounded down, at least 1; what is left goes one each from the first member on, cyclic. */
    private static int[] quotas(int slots, List<TableMember> members, int[] active) {
        long weights = 0;
        for (int member : active) {
            weights += members.get(member).effectiveWeight();
        }
        int[] quotas = new int[active.length];
        int sum = 0;
        for (int i = 0; i < quotas.length; i++) {
            long share = (long) slots * members.get(active[i]).effectiveWeight() / weights;
            quotas[i] = (int) Math.max(1, share);
            sum += quotas[i];
        }
        for (int i = 0; sum < slots; i = (i + 1) % quotas.length) {
            quotas[i]++;
            sum++;
        }
        return quotas;
    }

    private static void fill(int[] owners, List<TableMember> members, int[] active, HashedKeys keys, int[] quotas) {
        int mask = owners.length - 1;
        int[] position = new int[quotas.length];
        int[] skip = new int[quotas.length];
        int[] ids = new int[quotas.length];
        for (int i = 0; i < quotas.length; i++) {
            position[i] = Integer.remainderUnsigned(keys.word(active[i], 0), owners.length);
            skip[i] = (Integer.remainderUnsigned(keys.word(active[i], 1), mask) + 1) | 1;
            ids[i] = members.get(active[i]).id();
        }
        int filled = 0;
        while (filled < owners.length) {
            for (int i = 0; i < quotas.length && filled < owners.length; i++) {
                if (quotas[i] == 0) {
                    continue;
                }
                while (owners[position[i]] != SlotTable.NOBODY) {
                    position[i] = (position[i] + skip[i]) & mask;
                }
                owners[position[i]] = ids[i];
                quotas[i]--;
                filled++;
            }
        }
    }
}
