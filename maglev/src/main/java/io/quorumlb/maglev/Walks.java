package io.quorumlb.maglev;

/**
 * The order in which each member would like the slots: a keyed bijection of 0..M-1 for each, three rounds of an affine
 * step and a shift, all modulo M = 2^k.
 */
final class Walks {
    /** How many positions {@link #four} computes together. */
    static final int AT_ONCE = 4;

    /** Words of a member: summand and odd factor of each round. */
    static final int WORDS = 6;

    private static final int NEWTON_STEPS = 4;

    private final int mask;
    private final int shift;
    private final int[] words;

    /**
     * Takes the words of members, cut to numbers modulo M.
     *
     * @param slots number of slots M
     * @param words a0, m0, a1, m1, a2, m2 of each member; changed
     */
    Walks(int slots, int[] words) {
        this.mask = slots - 1;
        // At least half of k, so that a shift undoes itself.
        this.shift = (Integer.numberOfTrailingZeros(slots) + 1) / 2;
        this.words = words;
        for (int i = 0; i < words.length; i += 2) {
            words[i] &= mask;
            words[i + 1] = (words[i + 1] | 1) & mask;
        }
    }

    /** Returns how many members there are. */
    int members() {
        return words.length / WORDS;
    }

    /** Returns the number of slots M. */
    int slots() {
        return mask + 1;
    }

    /** Returns the shift of each round. */
    int shift() {
        return shift;
    }

    /** Returns a word of a member, below M. */
    int word(int member, int index) {
        return words[WORDS * member + index];
    }

    /** Returns the slots at four positions from the given one on, 16 bits each, the first in the lowest. */
    long four(int member, int position) {
        // Two in the halves of a long: 16-bit factors leave each half without a carry into the other.
        long pair = 0x1_0000_0001L;
        long masks = pair * mask;
        int at = WORDS * member;
        long even = (position * pair) + (2L << Integer.SIZE);
        long odd = even + pair;
        long summand = pair * words[at];
        long factor = words[at + 1];
        even = (even * factor + summand) & masks;
        odd = (odd * factor + summand) & masks;
        summand = pair * words[at + 2];
        factor = words[at + 3];
        even = ((even ^ ((even >>> shift) & masks)) * factor + summand) & masks;
        odd = ((odd ^ ((odd >>> shift) & masks)) * factor + summand) & masks;
        summand = pair * words[at + 4];
        factor = words[at + 5];
        even = ((even ^ ((even >>> shift) & masks)) * factor + summand) & masks;
        odd = ((odd ^ ((odd >>> shift) & masks)) * factor + summand) & masks;
        return (even ^ ((even >>> shift) & masks)) | ((odd ^ ((odd >>> shift) & masks)) << 16);
    }

    /** Returns where slots stand in the order of a member, found by undoing the rounds. */
    Inverse inverse(int member) {
        int at = WORDS * member;
        return new Inverse(
                mask,
                shift,
                words[at],
                inverseOf(words[at + 1]),
                words[at + 2],
                inverseOf(words[at + 3]),
                words[at + 4],
                inverseOf(words[at + 5]));
    }

    /** Newton's iteration for an odd number modulo 2^32; each step doubles the number of right bits. */
    private static int inverseOf(int factor) {
        int inverse = factor;
        for (int step = 0; step < NEWTON_STEPS; step++) {
            inverse *= 2 - factor * inverse;
        }
        return inverse;
    }

    /**
     * The way back from slot to position for one member.
     *
     * @param mask of a number modulo M
     * @param shift of each round
     * @param s0 the first round's summand
     * @param f0 inverse of the first round's factor; the others likewise
     */
    record Inverse(int mask, int shift, int s0, int f0, int s1, int f1, int s2, int f2) {
        /** Returns the position of the slot in the member's order, 0..M-1. */
        int position(int slot) {
            int x = slot ^ (slot >>> shift);
            x = ((x - s2) * f2) & mask;
            x ^= x >>> shift;
            x = ((x - s1) * f1) & mask;
            x ^= x >>> shift;
            return ((x - s0) * f0) & mask;
        }

        /** Returns the index of the slot that comes first in the member's order, among {@code count} at least one. */
        int first(int[] slots, int count) {
            int least = Integer.MAX_VALUE;
            for (int i = 0; i < count; i++) {
                // Position and index in one signed number, so that the least of the numbers is the least position.
                least = Math.min(least, ((position(slots[i]) << 16) | i) ^ Integer.MIN_VALUE);
            }
            return least & 0xffff;
        }
    }
}
