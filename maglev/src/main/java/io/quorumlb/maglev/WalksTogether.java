package io.quorumlb.maglev;

/**
 * Walks of many takers with at most one turn each per call: the slots at their next positions are computed together
 * before their turns, a block of takers at a time.
 *
 * <p>The numbers are in one array, in planes of a constant distance, and each loop is one short step: only so does the
 * compiler see that nothing is written before another element reads it, and use vector instructions.
 */
final class WalksTogether implements WalkingTurns {
    private static final int TAKERS_MIN = 64;
    private static final int SLOTS_MIN = 1 << 14;

    /** How many positions of each taker are computed together, at most. */
    private static final int POSITIONS_MAX = 32;

    /** Takers in a block, and the distance of the planes: element i of plane p stands at {@code i + p * BLOCK}. */
    static final int BLOCK = 512;

    private static final int STEP_PLANE = Walks.WORDS * BLOCK;
    private static final int POSITION_PLANE = STEP_PLANE + BLOCK;
    private static final int PLANES = POSITION_PLANE + BLOCK;
    private static final int SLOT_MASK = 0xffff;

    private final Walks walks;
    private final int mask;
    private final int shift;
    private final int[] planes;
    private int[] ranks = new int[0];
    private int takers;
    /** The slots at positions 4 p to 4 p + 3 of taker i of the block, 16 bits each, at {@code i + p * BLOCK}. */
    private final long[] fours = new long[POSITIONS_MAX / Walks.AT_ONCE * BLOCK];
    /** What the turns of a block take: the slot and above it the steps to it. */
    private final int[] taken = new int[BLOCK];

    /** Creates walks that have not been started. */
    WalksTogether(Walks walks) {
        this.walks = walks;
        this.mask = walks.slots() - 1;
        this.shift = walks.shift();
        this.planes = new int[(walks.members() + BLOCK - 1) / BLOCK * PLANES];
    }

    /** Returns true if there are enough takers and slots. */
    static boolean pays(int takers, int slots) {
        return takers >= TAKERS_MIN && slots >= SLOTS_MIN;
    }

    private static int at(int taker) {
        return taker / BLOCK * PLANES + taker % BLOCK;
    }

    @Override
    public void start(int[] members, int count) {
        ranks = members;
        takers = count;
        for (int taker = 0; taker < takers; taker++) {
            int at = at(taker);
            for (int word = 0; word < Walks.WORDS; word++) {
                planes[at + word * BLOCK] = walks.word(members[taker], word);
            }
            planes[at + POSITION_PLANE] = 0;
        }
    }

    @Override
    public void walk(char[] window, int turns, SlotSet there, int left, int[] owners, int flip) {
        // Twice the mean length of a walk, in groups of four.
        int groups = Math.min(POSITIONS_MAX / Walks.AT_ONCE, (walks.slots() / 2 + left - 1) / left);
        int turn = 0;
        for (int first = 0; first < takers && turn < turns; first += BLOCK) {
            int end = turn;
            while (end < turns && window[end] < first + BLOCK) {
                end++;
            }
            if (end > turn) {
                compute(first, groups);
                take(window, turn, end, there, groups);
                note(window, turn, end, owners, flip);
            }
            turn = end;
        }
    }

    private void take(char[] window, int from, int to, SlotSet there, int groups) {
        int turn = from;
        while (true) {
            turn = there.take(window, turn, to, fours, groups * BLOCK, taken);
            if (turn == to) {
                return;
            }
            int walked = groups * Walks.AT_ONCE;
            int rank = ranks[window[turn]];
            int position = planes[at(window[turn]) + POSITION_PLANE];
            long four = walks.four(rank, position + walked);
            int found = there.four(four);
            while (found == 0) {
                walked += Walks.AT_ONCE;
                four = walks.four(rank, position + walked);
                found = there.four(four);
            }
            int steps = Integer.numberOfTrailingZeros(found);
            taken[turn % BLOCK] = there.remove(four, steps) | ((walked + steps) << 16);
            turn++;
        }
    }

    private void note(char[] window, int from, int to, int[] owners, int flip) {
        for (int turn = from; turn < to; turn++) {
            int taker = window[turn];
            int note = taken[turn % BLOCK];
            owners[note & SLOT_MASK] = ranks[taker] ^ flip;
            planes[at(taker) + POSITION_PLANE] += (note >>> 16) + 1;
        }
    }

    /** Computes the next positions of the takers of a block, the last first. */
    private void compute(int firstTaker, int groups) {
        int from = at(firstTaker);
        int count = Math.min(BLOCK, takers - firstTaker);
        for (int further = groups * Walks.AT_ONCE - 1; further >= 0; further--) {
            first(planes, from, count, further, mask);
            second(planes, from, count, mask, shift);
            third(planes, from, count, mask, shift, fours, further / Walks.AT_ONCE * BLOCK);
        }
    }

    private static void first(int[] planes, int from, int count, int further, int mask) {
        for (int i = from; i < from + count; i++) {
            planes[i + STEP_PLANE] = ((planes[i + POSITION_PLANE] + further) * planes[i + BLOCK] + planes[i]) & mask;
        }
    }

    private static void second(int[] planes, int from, int count, int mask, int shift) {
        for (int i = from; i < from + count; i++) {
            int x = planes[i + STEP_PLANE];
            x ^= x >>> shift;
            planes[i + STEP_PLANE] = (x * planes[i + 3 * BLOCK] + planes[i + 2 * BLOCK]) & mask;
        }
    }

    private static void third(int[] planes, int from, int count, int mask, int shift, long[] fours, int at) {
        for (int i = 0; i < count; i++) {
            int x = planes[from + i + STEP_PLANE];
            x ^= x >>> shift;
            x = (x * planes[from + i + 5 * BLOCK] + planes[from + i + 4 * BLOCK]) & mask;
            fours[at + i] = (fours[at + i] << 16) | (x ^ (x >>> shift));
        }
    }
}
