package io.quorumlb.maglev;

/**
 * Deals the base slots of many members that are out to their second choices, all deals in step: in each turn every deal
 * asks its taker for the first of the slots that are left. The deals do not touch each other, so the same step of all
 * of them is a vector instruction; one deal alone is too short for that.
 *
 * <p>As in {@link WalksTogether} everything that is computed is in planes of one array and each loop is one short step.
 */
final class SecondDeals {
    /** Deals in a block, and the distance of the planes. */
    static final int BLOCK = 512;

    /** Slots in a deal, at most: the work grows with their square. */
    static final int SLOTS_MAX = 512;

    private static final int BEST_PLANE = Walks.WORDS * BLOCK;
    private static final int STEP_PLANE = BEST_PLANE + BLOCK;
    private static final int PLANES = STEP_PLANE + BLOCK;
    private static final int INDEX_BITS = 16;
    private static final int INDEX_MASK = 0xffff;

    private final int[] steps;
    private final int mask;
    private final int shift;
    private final int[] planes = new int[PLANES];
    private int[] slots = new int[0];
    private char[] takers = new char[0];

    /** Creates deals among members. */
    SecondDeals(Walks walks) {
        this.steps = walks.undoing();
        this.mask = walks.slots() - 1;
        this.shift = walks.shift();
    }

    /** Makes room for a number of deals of at most so many slots each. */
    void room(int deals, int slotsMax) {
        if (slots.length < slotsMax * deals) {
            slots = new int[slotsMax * deals];
            takers = new char[slotsMax * deals];
        }
    }

    /** Sets a slot of a deal. */
    void slot(int deal, int index, int deals, int slot) {
        slots[index * deals + deal] = slot;
    }

    /** Sets the rank of the member that has a turn in a deal. */
    void taker(int deal, int turn, int deals, int rank) {
        takers[turn * deals + deal] = (char) rank;
    }

    /**
     * Runs the deals.
     *
     * @param deals how many, 1..512
     * @param counts slots of each, 1..512, falling
     * @param owners gets the complement of the taker's rank for each slot
     */
    void run(int deals, int[] counts, int[] owners) {
        int going = deals;
        for (int turn = 0; turn < counts[0]; turn++) {
            while (counts[going - 1] <= turn) {
                going--;
            }
            load(turn, deals, going);
            int asked = going;
            for (int index = 0; asked > 0; index++) {
                while (asked > 0 && counts[asked - 1] - turn <= index) {
                    asked--;
                }
                System.arraycopy(slots, index * deals, planes, STEP_PLANE, asked);
                undoLast(planes, asked, mask, shift);
                undoMiddle(planes, asked, mask, shift);
                undoFirst(planes, asked, mask, shift, index);
            }
            for (int deal = 0; deal < going; deal++) {
                int at = (planes[deal + BEST_PLANE] & INDEX_MASK) * deals + deal;
                owners[slots[at]] = ~takers[turn * deals + deal];
                slots[at] = slots[(counts[deal] - turn - 1) * deals + deal];
            }
        }
    }

    private void load(int turn, int deals, int going) {
        for (int deal = 0; deal < going; deal++) {
            int from = Walks.WORDS * takers[turn * deals + deal];
            for (int word = 0; word < Walks.WORDS; word++) {
                planes[deal + word * BLOCK] = steps[from + word];
            }
            planes[deal + BEST_PLANE] = Integer.MAX_VALUE;
        }
    }

    private static void undoLast(int[] planes, int count, int mask, int shift) {
        for (int i = 0; i < count; i++) {
            int x = planes[i + STEP_PLANE];
            x ^= x >>> shift;
            planes[i + STEP_PLANE] = (x * planes[i + BLOCK] + planes[i]) & mask;
        }
    }

    private static void undoMiddle(int[] planes, int count, int mask, int shift) {
        for (int i = 0; i < count; i++) {
            int x = planes[i + STEP_PLANE];
            x ^= x >>> shift;
            planes[i + STEP_PLANE] = (x * planes[i + 3 * BLOCK] + planes[i + 2 * BLOCK]) & mask;
        }
    }

    private static void undoFirst(int[] planes, int count, int mask, int shift, int index) {
        int low = index ^ Integer.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            int x = planes[i + STEP_PLANE];
            x ^= x >>> shift;
            x = (x * planes[i + 5 * BLOCK] + planes[i + 4 * BLOCK]) & mask;
            // Position and index in one signed number, so that the least of the numbers is the least position.
            planes[i + BEST_PLANE] = Math.min(planes[i + BEST_PLANE], (x << INDEX_BITS) ^ low);
        }
    }
}
