package io.quorumlb.maglev;

import java.util.Arrays;

/**
 * A set of slots. A byte for each slot and not a bit: a walk asks for the next slots before the last one is known to be
 * taken, and that pays only while they are seldom in one word.
 */
final class SlotSet {
    private static final int BLOCK = WalksTogether.BLOCK;
    private static final int SLOT_MASK = 0xffff;

    private final byte[] members;

    /** Creates an empty set of slots 0..M-1, M a power of two. */
    SlotSet(int slots) {
        this.members = new byte[slots];
    }

    void addAll() {
        Arrays.fill(members, (byte) 1);
    }

    void add(int slot) {
        members[slot] = 1;
    }

    /** Returns a bit for each of four slots below M, 16 bits each: whether it is in the set. */
    int four(long slots) {
        return four(members, slots);
    }

    /** Takes one of four slots out and returns it. */
    int remove(long slots, int index) {
        byte[] in = members;
        int slot = (int) (slots >>> (index << 4)) & SLOT_MASK;
        in[slot & (in.length - 1)] = 0;
        return slot;
    }

    /**
     * Takes a slot for each turn, the first in the set of those that stand for its taker; stops when none is.
     *
     * <p>This loop is the one that cannot be hurried: each turn has to wait for the one before. So it has nothing in it
     * that can wait, and few variables.
     *
     * @param window taker of each turn
     * @param from first turn
     * @param to behind the last turn
     * @param ahead four slots of taker i at {@code i % BLOCK}, the next four a block behind, and so on
     * @param limit behind the last of them
     * @param taken gets at {@code turn % BLOCK} the slot and above it the number of slots before it
     * @return the turn that found none, or {@code to}
     */
    int take(char[] window, int from, int to, long[] ahead, int limit, int[] taken) {
        byte[] in = members;
        for (int turn = from; turn < to; turn++) {
            int at = window[turn] % BLOCK;
            long four = ahead[at];
            int found = four(in, four);
            while (found == 0) {
                at += BLOCK;
                if (at >= limit) {
                    return turn;
                }
                four = ahead[at];
                found = four(in, four);
            }
            int steps = Integer.numberOfTrailingZeros(found);
            int slot = (int) (four >>> (steps << 4)) & SLOT_MASK;
            in[slot & (in.length - 1)] = 0;
            taken[turn % BLOCK] = slot | ((at / BLOCK * Walks.AT_ONCE + steps) << 16);
        }
        return to;
    }

    private static int four(byte[] in, long slots) {
        // The masks change nothing, but the compiler sees that the indices are in range.
        return in[(int) slots & (in.length - 1)]
                | (in[(int) (slots >>> 16) & (in.length - 1)] << 1)
                | (in[(int) (slots >>> 32) & (in.length - 1)] << 2)
                | (in[(int) (slots >>> 48) & (in.length - 1)] << 3);
    }

    /** Moves the slots of the set to a list, in ascending order. */
    void drainTo(int[] list) {
        int size = 0;
        for (int slot = 0; slot < members.length; slot++) {
            if (members[slot] != 0) {
                list[size++] = slot;
                members[slot] = 0;
            }
        }
    }
}
