package io.quorumlb.maglev;

import java.util.Arrays;

/**
 * A set of slots. A byte for each slot and not a bit: a walk asks for the next slots before the last one is known to be
 * taken, and that pays only while they are seldom in one word.
 */
final class SlotSet {
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

    boolean contains(int slot) {
        return members[slot] != 0;
    }

    /** Returns a bit for each of four slots below M, 16 bits each: whether it is in the set. */
    int four(long slots) {
        byte[] in = members;
        // The masks change nothing, but the compiler sees that the indices are in range.
        return in[(int) slots & (in.length - 1)]
                | (in[(int) (slots >>> 16) & (in.length - 1)] << 1)
                | (in[(int) (slots >>> 32) & (in.length - 1)] << 2)
                | (in[(int) (slots >>> 48) & (in.length - 1)] << 3);
    }

    /** Takes one of four slots out and returns it. */
    int remove(long slots, int index) {
        byte[] in = members;
        int slot = (int) (slots >>> (index << 4)) & SLOT_MASK;
        in[slot & (in.length - 1)] = 0;
        return slot;
    }

    void remove(int slot) {
        members[slot] = 0;
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
