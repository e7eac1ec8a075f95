package io.quorumlb.maglev;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Version 1: each member walks the slots by its own offset and skip and takes one free slot per turn until its quota
 * is used up.
 */
final class Version1 {
    private static final int FNV_BASIS = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;
    private static final int SALT_OFFSET = 1;
    private static final int SALT_SKIP = 2;

    private Version1() {}

    static int[] owners(int poolId, int slots, Collection<TableMember> members) {
        List<TableMember> active = members.stream()
                .filter(member -> member.effectiveWeight() > 0)
                .sorted(Comparator.comparing(TableMember::key))
                .toList();
        int[] owners = new int[slots];
        if (!active.isEmpty()) {
            fill(owners, poolId, active, quotas(slots, active));
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

    private static void fill(int[] owners, int poolId, List<TableMember> members, int[] quotas) {
        int mask = owners.length - 1;
        int[] position = new int[quotas.length];
        int[] skip = new int[quotas.length];
        for (int i = 0; i < quotas.length; i++) {
            byte[] key = members.get(i).key().bytes();
            position[i] = Integer.remainderUnsigned(fnv(poolId, SALT_OFFSET, key), owners.length);
            skip[i] = (Integer.remainderUnsigned(fnv(poolId, SALT_SKIP, key), mask) + 1) | 1;
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

    /** FNV-1a, 32 bits, over pool id and salt (four big-endian bytes each) and the key. */
    private static int fnv(int poolId, int salt, byte[] key) {
        int hash = fnv(fnv(FNV_BASIS, poolId), salt);
        for (byte b : key) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    private static int fnv(int hash, int word) {
        int result = hash;
        for (int shift = 24; shift >= 0; shift -= 8) {
            result = (result ^ ((word >>> shift) & 0xff)) * FNV_PRIME;
        }
        return result;
    }
}
