package io.quorumlb.maglev;

import java.util.Arrays;

/**
 * Deals slots: at each turn the taker walks its own order to the next slot that is still there and takes it.
 *
 * <p>While many slots are there a walk finds one soon. When few are left a walk would be long, and it is faster to ask
 * at which position each of them stands in the taker's order: nothing that is left stands before where its walk is.
 */
final class SlotDeal {
    private static final int BITS = 6;
    /** The tail starts at 2^((k + this) / 2) slots: there a walk and a look at all of them cost the same. */
    private static final int TAIL_EXTRA_BITS = 2;

    private final Walks walks;
    private final TurnOrder order;
    private final int tailMax;
    private final int[] position;
    private final int[] tail;
    private final long[] listed;

    /** Creates a dealer for at most so many takers. */
    SlotDeal(Walks walks, int takersMax) {
        this.walks = walks;
        this.order = new TurnOrder(takersMax);
        this.position = new int[takersMax];
        this.tailMax = 1 << ((Integer.bitCount(walks.mask) + TAIL_EXTRA_BITS) / 2);
        this.tail = new int[tailMax];
        this.listed = new long[(walks.mask + 1) >>> BITS];
    }

    /**
     * Deals all slots of a set.
     *
     * @param there a bit for each slot in the set; none is set afterwards
     * @param count how many they are, the sum of the needs
     * @param ranks of the takers, ascending; their index stands for them in {@code needs}
     * @param needs how many each takes
     * @param takers how many they are
     * @param owners gets the taker's rank for each slot, xor {@code flip}
     * @param flip 0, or -1 for marks that are no owners
     */
    void deal(long[] there, int count, int[] ranks, int[] needs, int takers, int[] owners, int flip) {
        order.start(needs, takers, count);
        Arrays.fill(position, 0, takers, 0);
        int left = count;
        int turns = 0;
        int walked = 0;
        while (left > tailMax) {
            turns = order.fill();
            walked = Math.min(turns, left - tailMax);
            walk(there, ranks, walked, owners, flip);
            left -= walked;
        }
        collect(there, tail);
        finish(tail, left, ranks, walked, turns, owners, flip);
    }

    /** Deals all slots of a list, whose order does not matter and which is used up; see {@link #deal}. */
    void dealList(int[] slots, int count, int[] ranks, int[] needs, int takers, int[] owners, int flip) {
        if (count <= tailMax) {
            order.start(needs, takers, count);
            finish(slots, count, ranks, 0, 0, owners, flip);
            return;
        }
        for (int i = 0; i < count; i++) {
            listed[slots[i] >>> BITS] |= 1L << slots[i];
        }
        deal(listed, count, ranks, needs, takers, owners, flip);
    }

    private void walk(long[] there, int[] ranks, int turns, int[] owners, int flip) {
        char[] window = order.window();
        int[] factors = walks.factors;
        long[] summands = walks.summands;
        int mask = walks.mask;
        int shift = walks.shift;
        long masks = Walks.PAIR * mask;
        for (int turn = 0; turn < turns; turn++) {
            int taker = window[turn];
            int rank = ranks[taker];
            int at = 3 * rank;
            int at0 = position[taker];
            while (true) {
                long x = (at0 * Walks.PAIR) + (1L << 32);
                x = (x * factors[at] + summands[at]) & masks;
                x ^= (x >>> shift) & masks;
                x = (x * factors[at + 1] + summands[at + 1]) & masks;
                x ^= (x >>> shift) & masks;
                x = (x * factors[at + 2] + summands[at + 2]) & masks;
                x ^= x >>> shift;
                int first = (int) x & mask;
                int second = (int) (x >>> 32);
                int firstThere = (int) (there[first >>> BITS] >>> first) & 1;
                int secondThere = (int) (there[second >>> BITS] >>> second) & 1;
                at0 += 2;
                if ((firstThere | secondThere) != 0) {
                    int slot = second ^ ((first ^ second) & -firstThere);
                    position[taker] = at0 - firstThere;
                    there[slot >>> BITS] &= ~(1L << slot);
                    owners[slot] = rank ^ flip;
                    break;
                }
            }
        }
    }

    private static void collect(long[] there, int[] slots) {
        int size = 0;
        for (int word = 0; word < there.length; word++) {
            for (long bits = there[word]; bits != 0; bits &= bits - 1) {
                slots[size++] = (word << BITS) | Long.numberOfTrailingZeros(bits);
            }
            there[word] = 0;
        }
    }

    private void finish(int[] slots, int count, int[] ranks, int from, int to, int[] owners, int flip) {
        char[] window = order.window();
        int left = count;
        int turn = from;
        int turns = to;
        while (left > 0) {
            if (turn == turns) {
                turns = order.fill();
                turn = 0;
            }
            int rank = ranks[window[turn++]];
            int taken = walks.inverse(rank).first(slots, left);
            owners[slots[taken]] = rank ^ flip;
            slots[taken] = slots[--left];
        }
    }
}
