package io.quorumlb.maglev;

/**
 * The order in which each member would like the slots: a keyed bijection of 0..M-1 for each, three rounds of an affine
 * step and a shift, all modulo M = 2^k.
 *
 * <p>Two positions are computed at once in the halves of a long: 16-bit factors leave each half without a carry into
 * the other. The inverse tells at which position a given slot stands.
 */
final class Walks {
    /** A one in each half. */
    static final long PAIR = 0x1_0000_0001L;

    private static final int ROUNDS = 3;
    private static final int NEWTON_STEPS = 4;

    /** Mask of a number modulo M. */
    final int mask;

    /** The shift of each round, at least half of k: so it undoes itself. */
    final int shift;

    /** Odd factor of member i in round r at 3 i + r, below M. */
    final int[] factors;

    /** Summand of member i in round r at 3 i + r, below M, in both halves. */
    final long[] summands;

    /**
     * Reads the words of members.
     *
     * @param slots number of slots M
     * @param words a0, m0, a1, m1, a2, m2 of each member
     */
    Walks(int slots, int[] words) {
        this.mask = slots - 1;
        this.shift = (Integer.numberOfTrailingZeros(slots) + 1) / 2;
        this.factors = new int[words.length / 2];
        this.summands = new long[words.length / 2];
        for (int i = 0; i < factors.length; i++) {
            summands[i] = PAIR * (words[2 * i] & mask);
            factors[i] = (words[2 * i + 1] | 1) & mask;
        }
    }

    /** Returns where the slots stand in the order of a member, found by undoing the rounds. */
    Inverse inverse(int member) {
        int at = ROUNDS * member;
        return new Inverse(
                mask,
                shift,
                inverseOf(factors[at]),
                (int) summands[at],
                inverseOf(factors[at + 1]),
                (int) summands[at + 1],
                inverseOf(factors[at + 2]),
                (int) summands[at + 2]);
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
     * @param f0 inverse of the first round's factor
     * @param s0 the first round's summand; the others likewise
     */
    record Inverse(int mask, int shift, int f0, int s0, int f1, int s1, int f2, int s2) {
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
