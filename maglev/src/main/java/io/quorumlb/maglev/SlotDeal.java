package io.quorumlb.maglev;

import java.util.Optional;

/**
 * Deals slots: at each turn the taker walks its own order to the next slot that is still there and takes it.
 *
 * <p>While many slots are there a walk finds one soon. When few are left a walk would be long, and it is faster to ask
 * at which position each of them stands in the taker's order: nothing that is left stands before where its walk is.
 * Keeps its working memory from deal to deal.
 */
final class SlotDeal {
    /** The tail starts at 2^((k + this) / 2) slots: there a walk and a look at all of them cost the same. */
    private static final int TAIL_EXTRA_BITS = 2;

    private final Walks walks;
    private final TurnOrder order;
    private final int tailMax;
    private final int[] tail;
    private final SlotSet emptySet;
    private final WalksAlone alone;
    private Optional<WalksTogether> together = Optional.empty();
    private Optional<BaseSlots> baseSlots = Optional.empty();
    private Optional<SecondChoices> secondChoices = Optional.empty();
    private Optional<SecondDeals> inStep = Optional.empty();
    private Optional<SlotSet> listed = Optional.empty();

    /** Creates a dealer for members, their ranks the indices of their walks. */
    SlotDeal(Walks walks) {
        this.walks = walks;
        this.order = new TurnOrder(walks.members());
        this.tailMax = 1 << ((Integer.numberOfTrailingZeros(walks.slots()) + TAIL_EXTRA_BITS) / 2);
        this.tail = new int[2 * Walks.LIST_MAX];
        this.emptySet = new SlotSet(walks.slots());
        this.alone = new WalksAlone(walks);
    }

    /** Returns the number of slots M. */
    int slots() {
        return walks.slots();
    }

    /** Returns the walks of the members. */
    Walks walks() {
        return walks;
    }

    /** Returns an empty set to be filled and dealt; the same each time. */
    SlotSet emptySet() {
        return emptySet;
    }

    /**
     * Deals all slots of a set.
     *
     * @param there the set, empty afterwards
     * @param count how many they are, the sum of the needs
     * @param ranks of the takers, ascending; their index stands for them in {@code needs}
     * @param needs how many each takes
     * @param takers how many they are
     * @param owners gets the taker's rank for each slot, xor {@code flip}
     * @param flip 0, or -1 for marks that are no owners
     */
    void deal(SlotSet there, int count, int[] ranks, int[] needs, int takers, int[] owners, int flip) {
        order.start(needs, takers, count);
        int turns = 0;
        int walked = 0;
        int left = count;
        if (left > tailMax) {
            WalkingTurns walking = walking(takers);
            walking.start(ranks, takers);
            while (left > tailMax) {
                turns = order.fill();
                walked = Math.min(turns, left - tailMax);
                walking.walk(order.window(), walked, there, left, owners, flip);
                left -= walked;
            }
        }
        there.drainTo(tail);
        finish(left, ranks, walked, turns, owners, flip);
    }

    private WalkingTurns walking(int takers) {
        if (!order.oneTurnEach() || !WalksTogether.pays(takers, walks.slots())) {
            return alone;
        }
        WalksTogether walking = together.orElseGet(() -> new WalksTogether(walks));
        together = Optional.of(walking);
        return walking;
    }

    /** Deals all slots of a list, in any order; see {@link #deal}. */
    void dealList(int[] slots, int count, int[] ranks, int[] needs, int takers, int[] owners, int flip) {
        if (count <= tailMax) {
            order.start(needs, takers, count);
            System.arraycopy(slots, 0, tail, 0, count);
            finish(count, ranks, 0, 0, owners, flip);
            return;
        }
        SlotSet set = listed.orElseGet(() -> new SlotSet(walks.slots()));
        listed = Optional.of(set);
        for (int i = 0; i < count; i++) {
            set.add(slots[i]);
        }
        deal(set, count, ranks, needs, takers, owners, flip);
    }

    /** Returns room for the base slots of these members; the same each time. */
    BaseSlots baseSlots() {
        BaseSlots slots = baseSlots.orElseGet(() -> new BaseSlots(walks.members()));
        baseSlots = Optional.of(slots);
        return slots;
    }

    /** Returns the second choices of these members, not yet started; the same each time. */
    SecondChoices secondChoices() {
        SecondChoices choices = secondChoices.orElseGet(() -> new SecondChoices(walks.slots(), walks.members()));
        secondChoices = Optional.of(choices);
        return choices;
    }

    /** Returns the deals in step among these members; the same each time. */
    SecondDeals secondDeals() {
        SecondDeals deals = inStep.orElseGet(() -> new SecondDeals(walks));
        inStep = Optional.of(deals);
        return deals;
    }

    /** Writes the rank of each turn's taker, in the order of the turns, to a list. */
    void turns(int[] ranks, int[] needs, int takers, int count, int[] list) {
        order.start(needs, takers, count);
        char[] window = order.window();
        int at = 0;
        for (int turns = order.fill(); turns > 0; turns = order.fill()) {
            for (int turn = 0; turn < turns; turn++) {
                list[at++] = ranks[window[turn]];
            }
        }
    }

    private void finish(int count, int[] ranks, int from, int to, int[] owners, int flip) {
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
            int first = walks.first(rank, tail, left);
            owners[tail[first]] = rank ^ flip;
            tail[first] = tail[--left];
        }
    }
}
