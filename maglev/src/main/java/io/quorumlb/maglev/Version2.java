package io.quorumlb.maglev;

import java.util.Arrays;
import java.util.List;

/**
 * Version 2: a base over the configured weights, in which members that are out or ramping release slots; released slots
 * go to their second choice and what is left is dealt anew. Owners are ranks, ids at the very end.
 */
final class Version2 {
    private final int slots;
    private final List<TableMember> members;
    private final int[] weights;
    private final int[] effective;
    private final long effectiveSum;
    private final Walks walks;
    private final SlotDeal dealer;
    private final int[] ranks;
    private final int[] owners;

    private Version2(PoolDefinition definition, HashedKeys keys) {
        this.slots = definition.slots();
        this.members = configured(definition.members());
        int n = members.size();
        this.weights = new int[n];
        this.effective = new int[n];
        this.ranks = new int[n];
        for (int i = 0; i < n; i++) {
            weights[i] = members.get(i).weight();
            effective[i] = members.get(i).effectiveWeight();
            ranks[i] = i;
        }
        this.effectiveSum = Arrays.stream(effective).asLongStream().sum();
        this.walks = new Walks(slots, keys.of(definition, members));
        this.dealer = new SlotDeal(walks);
        this.owners = new int[slots];
    }

    /** Members without configured weight are not part of anything. */
    private static List<TableMember> configured(List<TableMember> members) {
        return members.stream().allMatch(member -> member.weight() > 0)
                ? members
                : members.stream().filter(member -> member.weight() > 0).toList();
    }

    static int[] owners(PoolDefinition definition, HashedKeys keys) {
        if (definition.members().stream().allMatch(member -> member.effectiveWeight() == 0)) {
            return new int[definition.slots()];
        }
        return new Version2(definition, keys).build();
    }

    private int[] build() {
        int[] base = new int[weights.length];
        Quotas.fill(base, weights, slots, 0, slots);
        SlotSet free = new SlotSet(slots);
        free.addAll();
        dealer.deal(free, slots, ranks, base, base.length, owners, 0);
        if (!Arrays.equals(weights, effective)) {
            release(base, free);
        }
        int[] ids = new int[weights.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = members.get(i).id();
        }
        for (int slot = 0; slot < slots; slot++) {
            owners[slot] = ids[owners[slot]];
        }
        return owners;
    }

    private void release(int[] base, SlotSet released) {
        int[] held = base.clone();
        releaseSlots(base, held, released);
        int free = acceptSecondChoices(held, released);
        int[] needs = held.clone();
        Quotas.fill(needs, effective, free, 0, slots);
        for (int i = 0; i < needs.length; i++) {
            needs[i] -= held[i];
        }
        dealer.deal(released, free, ranks, needs, needs.length, owners, 0);
    }

    /** Marks the released slots, with the complement of their second choice as owner. */
    private void releaseSlots(int[] base, int[] held, SlotSet released) {
        boolean[] out = new boolean[weights.length];
        int most = 0;
        for (int i = 0; i < out.length; i++) {
            held[i] = effective[i] == weights[i] ? base[i] : Math.min(base[i], effective[i] == 0 ? 0 : target(i));
            out[i] = held[i] < base[i];
            most = out[i] ? Math.max(most, base[i]) : most;
        }
        BaseSlots own = new BaseSlots(owners, base, out);
        SecondChoices seconds = new SecondChoices(slots, weights, base);
        int[] list = new int[most];
        for (int i = 0; i < out.length; i++) {
            if (out[i]) {
                int takers = seconds.find(i);
                own.copy(i, list);
                dealer.dealList(list, base[i], seconds.takers(), seconds.needs(), takers, owners, -1);
                own.copy(i, list);
                if (held[i] > 0) {
                    keepFirst(i, list, base[i], held[i]);
                }
                for (int k = held[i]; k < base[i]; k++) {
                    released.add(list[k]);
                }
            }
        }
    }

    /** Exact share rounded up. */
    private int target(int member) {
        return (int) (((long) slots * effective[member] + effectiveSum - 1) / effectiveSum);
    }

    /** Sorts a member's slots by its own order and gives it back the first of them. */
    private void keepFirst(int member, int[] list, int count, int kept) {
        Walks.Inverse order = walks.inverse(member);
        for (int i = 0; i < count; i++) {
            // The position in front, as a signed number.
            list[i] = ((order.position(list[i]) << 16) | list[i]) ^ Integer.MIN_VALUE;
        }
        Arrays.sort(list, 0, count);
        for (int i = 0; i < count; i++) {
            list[i] &= slots - 1;
            if (i < kept) {
                owners[list[i]] = member;
            }
        }
    }

    /** Gives released slots to their second choice while it takes its whole weight and is below its exact share. */
    private int acceptSecondChoices(int[] held, SlotSet released) {
        int[] room = new int[held.length];
        for (int i = 0; i < room.length; i++) {
            room[i] = effective[i] == weights[i] ? target(i) - held[i] : 0;
        }
        int free = 0;
        for (int slot = 0; slot < slots; slot++) {
            if (released.contains(slot)) {
                int second = ~owners[slot];
                if (room[second] > 0) {
                    room[second]--;
                    held[second]++;
                    owners[slot] = second;
                    released.remove(slot);
                } else {
                    free++;
                }
            }
        }
        return free;
    }
}
