package io.quorumlb.maglev;

import java.util.Arrays;

/**
 * The second choice of each base slot of members that are out: who would have it if that member alone had never been.
 *
 * <p>How many slots each other member takes are the turns of {@link Quotas#fill} over the base without that member.
 * The deficits of the others depend on the weight of the member that is out, not on who it is. So they are sorted
 * once for each weight, and a member that is out costs only as much as it gives away. Keeps its memory from table to table.
 */
final class SecondChoices {
    private static final int TIE_BITS = 17;
    private static final int WEIGHT_BITS = 10;
    private static final long TIE_MASK = (1L << TIE_BITS) - 1;
    /** With fewer deals it does not pay to run them in step. */
    private static final int IN_STEP_MIN = 12;

    private final int slots;
    private int[] weights = new int[0];
    private int[] base = new int[0];
    private long allWeights;

    private int weight;
    private long sum;
    private final long[] order;
    private int candidates;
    private final int[] wholes;
    private final int[] severals;
    private int severalsSize;
    private long wholesSum;

    private final int[] turnsOf;
    private final int[] takers;
    private final int[] needs;
    private int size;

    /**
     * Creates room for members.
     *
     * @param slots number of slots M
     * @param members how many, at least two
     */
    SecondChoices(int slots, int members) {
        this.slots = slots;
        this.order = new long[members];
        this.wholes = new int[members];
        this.severals = new int[members];
        this.turnsOf = new int[members];
        this.takers = new int[members];
        this.needs = new int[members];
    }

    /**
     * Starts with a base.
     *
     * @param configured weights, by rank, none 0; not changed until the next start
     * @param counts slots of each in the base, all together M; not changed until the next start
     * @return this
     */
    SecondChoices start(int[] configured, int[] counts) {
        weights = configured;
        base = counts;
        allWeights = Arrays.stream(configured).asLongStream().sum();
        weight = 0;
        return this;
    }

    /**
     * Deals the base slots of members that are out.
     *
     * @param out which members
     * @param own their base slots
     * @param list room for the base slots of one of them
     * @param owners gets the complement of the second choice for each slot
     */
    void deal(boolean[] out, BaseSlots own, SlotDeal dealer, int[] list, int[] owners) {
        int[] ranks = new int[out.length];
        int count = 0;
        for (int rank = 0; rank < out.length; rank++) {
            if (out[rank]) {
                ranks[count++] = rank;
            }
        }
        sortByBase(ranks, count);
        int from = 0;
        while (from < count && (count - from < IN_STEP_MIN || base[ranks[from]] > SecondDeals.SLOTS_MAX)) {
            int takersFound = find(ranks[from]);
            own.copy(ranks[from], list);
            dealer.dealList(list, base[ranks[from]], takers, needs, takersFound, owners, -1);
            from++;
        }
        for (; from < count; from += SecondDeals.BLOCK) {
            inStep(ranks, from, Math.min(count, from + SecondDeals.BLOCK), own, dealer, list, owners);
        }
    }

    /** The most base slots first; equal weights together, so that the deficits are sorted once for each. */
    private void sortByBase(int[] ranks, int count) {
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            keys[i] = ((long) (slots - base[ranks[i]]) << (Integer.SIZE + WEIGHT_BITS))
                    | ((long) weights[ranks[i]] << Integer.SIZE)
                    | ranks[i];
        }
        Arrays.sort(keys);
        for (int i = 0; i < count; i++) {
            ranks[i] = (int) keys[i];
        }
    }

    private void inStep(int[] ranks, int from, int to, BaseSlots own, SlotDeal dealer, int[] list, int[] owners) {
        int deals = to - from;
        int[] counts = new int[deals];
        SecondDeals inStep = dealer.secondDeals();
        inStep.room(deals, base[ranks[from]]);
        for (int deal = 0; deal < deals; deal++) {
            int rank = ranks[from + deal];
            counts[deal] = base[rank];
            own.copy(rank, list);
            for (int i = 0; i < counts[deal]; i++) {
                inStep.slot(deal, i, deals, list[i]);
            }
            dealer.turns(takers, needs, find(rank), counts[deal], list);
            for (int turn = 0; turn < counts[deal]; turn++) {
                inStep.taker(deal, turn, deals, list[turn]);
            }
        }
        inStep.run(deals, counts, owners);
    }

    /** Finds who takes how many slots of the member; returns how many takers there are. */
    private int find(int out) {
        if (weights[out] != weight) {
            sort(weights[out]);
        }
        size = 0;
        long left = base[out] - (wholesSum - wholes[out]);
        if (left < 0) {
            byFill(out);
        } else {
            bySorted(out, (int) left);
        }
        Arrays.sort(takers, 0, size);
        for (int i = 0; i < size; i++) {
            needs[i] = turnsOf[takers[i]];
            turnsOf[takers[i]] = 0;
        }
        return size;
    }

    private void sort(int weightOut) {
        weight = weightOut;
        sum = allWeights - weightOut;
        candidates = 0;
        severalsSize = 0;
        wholesSum = 0;
        for (int i = 0; i < weights.length; i++) {
            long deficit = (long) slots * weights[i] - base[i] * sum;
            wholes[i] = 0;
            if (deficit >= 0) {
                long rest = deficit;
                if (deficit >= sum) {
                    wholes[i] = (int) (deficit / sum);
                    rest = deficit % sum;
                    severals[severalsSize++] = i;
                    wholesSum += wholes[i];
                }
                order[candidates++] = ((sum - 1 - rest) << TIE_BITS) | i;
            }
        }
        Arrays.sort(order, 0, candidates);
    }

    /** The greatest deficits win; equal ones in the order of rank from behind the member that is out, cyclic. */
    private void bySorted(int out, int turns) {
        for (int i = 0; i < severalsSize; i++) {
            give(severals[i], severals[i] == out ? 0 : wholes[severals[i]]);
        }
        int left = turns;
        int from = 0;
        while (left > 0) {
            int to = endOfTie(from);
            int start = behind(from, to, out);
            for (int i = 0; i < to - from && left > 0; i++) {
                int at = start + i < to ? start + i : start + i - (to - from);
                int rank = (int) (order[at] & TIE_MASK);
                if (rank != out) {
                    give(rank, 1);
                    left--;
                }
            }
            from = to;
        }
    }

    private void give(int rank, int turns) {
        if (turns > 0) {
            if (turnsOf[rank] == 0) {
                takers[size++] = rank;
            }
            turnsOf[rank] += turns;
        }
    }

    private int endOfTie(int from) {
        long tie = order[from] >>> TIE_BITS;
        int end = Arrays.binarySearch(order, from, candidates, (tie + 1) << TIE_BITS);
        return end < 0 ? -1 - end : end;
    }

    private int behind(int from, int to, int out) {
        long tie = order[from] & ~TIE_MASK;
        int at = Arrays.binarySearch(order, from, to, tie | (out + 1L));
        return at < 0 ? -1 - at : at;
    }

    /** So many are above their share that not all whole multiples can be given: rare, so nothing is prepared for it. */
    private void byFill(int out) {
        int[] held = base.clone();
        int[] others = weights.clone();
        held[out] = 0;
        others[out] = 0;
        Quotas.fill(held, others, base[out], out, slots);
        for (int i = 0; i < held.length; i++) {
            give(i, i == out ? 0 : held[i] - base[i]);
        }
    }
}
