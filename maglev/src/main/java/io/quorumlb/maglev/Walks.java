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

    /** The longest list of slots that {@link #first} takes. */
    static final int LIST_MAX = 512;

    /** Vector instructions pay for longer lists only. */
    private static final int SHORT_LIST = 64;

    /** The signs of both halves. */
    private static final long FLIP = 0x8000_0000_8000_0000L;

    private static final int NEWTON_STEPS = 4;

    private final int mask;
    private final int shift;
    private final int[] words;
    /** What undoes a step in the same form: factor and summand of the last round first. Made when first asked for. */
    private int[] undoing = new int[0];

    /**
     * Takes the words of members, a0, m0, a1, m1, a2, m2 of each, cut to numbers modulo M.
     *
     * @param slots number of slots M
     */
    Walks(int slots, HashedKeys keys) {
        this.mask = slots - 1;
        // At least half of k, so that a shift undoes itself.
        this.shift = (Integer.numberOfTrailingZeros(slots) + 1) / 2;
        this.words = new int[WORDS * keys.size()];
        for (int i = 0; i < keys.size(); i++) {
            for (int word = 0; word < WORDS; word += 2) {
                words[WORDS * i + word] = keys.word(i, word) & mask;
                words[WORDS * i + word + 1] = (keys.word(i, word + 1) | 1) & mask;
            }
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

    /** Returns what undoes the rounds, {@link #WORDS} numbers of each member: summand and factor, the last round first. */
    int[] undoing() {
        if (undoing.length == 0) {
            undoing = new int[words.length];
            for (int at = 0; at < words.length; at += WORDS) {
                for (int word = 0; word < WORDS; word += 2) {
                    int inverse = inverse(words[at + WORDS - 1 - word]) & mask;
                    undoing[at + word] = (-words[at + WORDS - 2 - word] * inverse) & mask;
                    undoing[at + word + 1] = inverse;
                }
            }
        }
        return undoing;
    }

    /** Returns the position of a slot in the order of a member, found by undoing the rounds. */
    int position(int member, int slot) {
        int[] steps = undoing();
        int x = slot;
        for (int at = WORDS * member; at < WORDS * (member + 1); at += 2) {
            x = ((x ^ (x >>> shift)) * steps[at + 1] + steps[at]) & mask;
        }
        return x;
    }

    /**
     * Returns the index of the slot that comes first in the order of a member.
     *
     * @param slots at the front of an array of 2 x 512 numbers; what is behind them is overwritten
     * @param count how many they are, 1..512
     */
    int first(int member, int[] slots, int count) {
        int[] steps = undoing();
        int at = WORDS * member;
        if (count <= SHORT_LIST) {
            return firstOfFew(
                    slots, count, steps[at + 1], steps[at], steps[at + 3], steps[at + 2], steps[at + 5], steps[at + 4]);
        }
        undoLast(slots, count, shift, steps[at + 1], steps[at], mask);
        undo(slots, count, shift, steps[at + 3], steps[at + 2], mask);
        return least(slots, count, shift, steps[at + 5], steps[at + 4], mask);
    }

    /** Two slots at a time in the halves of a long, as in {@link #four}. */
    private int firstOfFew(int[] slots, int count, long f2, int s2, long f1, int s1, long f0, int s0) {
        long pair = 0x1_0000_0001L;
        long masks = pair * mask;
        long add2 = pair * s2;
        long add1 = pair * s1;
        long add0 = pair * s0;
        // An odd number is filled up with the first, whose index wins.
        slots[count] = slots[0];
        long index = (1L << Integer.SIZE) ^ FLIP;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < count; i += 2) {
            long x = slots[i] | ((long) slots[i + 1] << Integer.SIZE);
            x = ((x ^ ((x >>> shift) & masks)) * f2 + add2) & masks;
            x = ((x ^ ((x >>> shift) & masks)) * f1 + add1) & masks;
            x = ((x ^ ((x >>> shift) & masks)) * f0 + add0) & masks;
            // Position and index in one signed number, so that the least of the numbers is the least position.
            x = (x << 16) ^ index;
            least = Math.min(least, Math.min((int) x, (int) (x >>> Integer.SIZE)));
            index += 2 * pair;
        }
        return least & 0xffff;
    }

    /** A short loop over one array: the compiler makes vector instructions of it. The others as well. */
    private static void undoLast(int[] slots, int count, int by, int inverse, int summand, int keep) {
        for (int i = 0; i < count; i++) {
            int x = slots[i];
            slots[i + LIST_MAX] = ((x ^ (x >>> by)) * inverse + summand) & keep;
        }
    }

    private static void undo(int[] slots, int count, int by, int inverse, int summand, int keep) {
        for (int i = 0; i < count; i++) {
            int x = slots[i + LIST_MAX];
            slots[i + LIST_MAX] = ((x ^ (x >>> by)) * inverse + summand) & keep;
        }
    }

    private static int least(int[] slots, int count, int by, int inverse, int summand, int keep) {
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            int x = slots[i + LIST_MAX];
            int position = ((x ^ (x >>> by)) * inverse + summand) & keep;
            least = Math.min(least, ((position << 16) | i) ^ Integer.MIN_VALUE);
        }
        return least & 0xffff;
    }

    /** Newton's iteration for an odd number modulo 2^32; each step doubles the number of right bits. */
    private static int inverse(int factor) {
        int inverse = factor;
        for (int step = 0; step < NEWTON_STEPS; step++) {
            inverse *= 2 - factor * inverse;
        }
        return inverse;
    }
}
