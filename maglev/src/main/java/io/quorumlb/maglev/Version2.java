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
    private final SlotDeal dealer;
    private final int[] owners;

    /**
     * Prepares for a table.
     *
     * @param members with configured weight, by key
     * @param dealer for these members
     */
    Version2(List<TableMember> members, SlotDeal dealer) {
        int n = members.size();
        this.slots = dealer.slots();
        this.members = members;
        this.dealer = dealer;
        this.weights = new int[n];
        this.effective = new int[n];
        for (int i = 0; i < n; i++) {
            weights[i] = members.get(i).weight();
            effective[i] = members.get(i).effectiveWeight();
        }
        this.effectiveSum = Arrays.stream(effective).asLongStream().sum();
        this.owners = new int[slots];
    }

    /** Returns the owner of each slot; somebody must have effective weight. */
    int[] build() {
        int[] base = new int[weights.length];
        Quotas.fill(base, weights, slots, 0, slots);
        SlotSet free = dealer.emptySet();
        free.addAll();
        deal(free, slots, new int[base.length], base);
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
        BaseSlots own = releaseSlots(base, held);
        int free = acceptSecondChoices(own, held, released);
        int[] needs = held.clone();
        Quotas.fill(needs, effective, free, 0, slots);
        deal(released, free, held, needs);
    }

    /** Deals the slots of a set to members until each holds what it needs. */
    private void deal(SlotSet set, int count, int[] held, int[] needs) {
        int[] takers = new int[needs.length];
        int[] turns = new int[needs.length];
        int size = 0;
        for (int i = 0; i < needs.length; i++) {
            takers[size] = i;
            turns[size] = needs[i] - held[i];
            size += turns[size] > 0 ? 1 : 0;
        }
        dealer.deal(set, count, takers, turns, size, owners, 0);
    }

    /** Marks the released slots, with the complement of their second choice as owner. */
    private BaseSlots releaseSlots(int[] base, int[] held) {
        boolean[] out = new boolean[weights.length];
        int most = 0;
        for (int i = 0; i < out.length; i++) {
            held[i] = effective[i] == weights[i] ? base[i] : Math.min(base[i], effective[i] == 0 ? 0 : target(i));
            out[i] = held[i] < base[i];
            most = out[i] ? Math.max(most, base[i]) : most;
        }
        BaseSlots own = dealer.baseSlots();
        own.collect(owners, base, out);
        int[] list = new int[most];
        dealer.secondChoices().start(weights, base).deal(out, own, dealer, list, owners);
        for (int i = 0; i < out.length; i++) {
            if (out[i] && held[i] > 0) {
                own.copy(i, list);
                keepFirst(i, list, base[i], held[i]);
            }
        }
        return own;
    }

    /** Exact share rounded up. */
    private int target(int member) {
        return (int) (((long) slots * effective[member] + effectiveSum - 1) / effectiveSum);
    }

    /** Sorts a member's slots by its own order and gives it back the first of them. */
    private void keepFirst(int member, int[] list, int count, int kept) {
        Walks walks = dealer.walks();
        for (int i = 0; i < count; i++) {
            // The position in front, as a signed number.
            list[i] = ((walks.position(member, list[i]) << 16) | list[i]) ^ Integer.MIN_VALUE;
        }
        Arrays.sort(list, 0, count);
        for (int i = 0; i < count; i++) {
            list[i] &= slots - 1;
            if (i < kept) {
                owners[list[i]] = member;
            }
        }
    }

    /**
     * Gives released slots to their second choice while it takes its whole weight and is below its exact share; leaves
     * the others in the set and returns how many they are.
     */
    private int acceptSecondChoices(BaseSlots own, int[] held, SlotSet released) {
        int[] room = new int[held.length];
        for (int i = 0; i < room.length; i++) {
            room[i] = effective[i] == weights[i] ? target(i) - held[i] : 0;
        }
        int free = 0;
        for (int i = 0; i < own.size(); i++) {
            int slot = own.slot(i);
            int second = ~owners[slot];
            // Kept slots of a member that ramps have their owner.
            if (second >= 0) {
                if (room[second] > 0) {
                    room[second]--;
                    held[second]++;
                    owners[slot] = second;
                } else {
                    released.add(slot);
                    free++;
                }
            }
        }
        return free;
    }
}
