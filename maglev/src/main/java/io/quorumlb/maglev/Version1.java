package io.quorumlb.maglev;

import java.util.List;

/**
 * Version 1: each member walks the slots by its own offset and skip and takes one free slot per turn until its quota
 * is used up.
 */
final class Version1 {
    private Version1() {}

    static int[] owners(PoolDefinition definition, HashedKeys keys) {
        List<TableMember> active = definition.members().stream()
                .filter(member -> member.effectiveWeight() > 0)
                .toList();
        int[] owners = new int[definition.slots()];
        if (!active.isEmpty()) {
            fill(owners, active, keys.of(definition, active), quotas(owners.length, active));
        }
        return owners;
    }

    /** Proportional quota rounded down, at least 1; what is left goes one each from the first member on, cyclic. */
    private static int[] quotas(int slots, List<TableMember> members) {
        long weights = members.stream().mapToLong(TableMember::effectiveWeight).sum();
        int[] quotas = new int[members.size()];
        int sum = 0;
        for (int i = 0; i < quotas.length; i++) {
            long share = (long) slots * members.get(i).effectiveWeight() / weights;
            quotas[i] = (int) Math.max(1, share);
            sum += quotas[i];
        }
        for (int i = 0; sum < slots; i = (i + 1) % quotas.length) {
            quotas[i]++;
            sum++;
        }
        return quotas;
    }

    private static void fill(int[] owners, List<TableMember> members, int[] hashes, int[] quotas) {
        int mask = owners.length - 1;
        int[] position = new int[quotas.length];
        int[] skip = new int[quotas.length];
        for (int i = 0; i < quotas.length; i++) {
            position[i] = Integer.remainderUnsigned(hashes[2 * i], owners.length);
            skip[i] = (Integer.remainderUnsigned(hashes[2 * i + 1], mask) + 1) | 1;
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
                owners[position[i]] = members.get(i).id();
                quotas[i]--;
                filled++;
            }
        }
    }
}
