package io.quorumlb.maglev;

/** A way to take turns by walking. */
sealed interface WalkingTurns permits WalksAlone, WalksTogether {
    /** Starts the walks of some members, the takers, at position 0. */
    void start(int[] ranks, int takers);

    /**
     * Takes turns.
     *
     * @param window taker of each turn
     * @param turns how many
     * @param there slots that are still there; those taken are removed
     * @param left how many are there, more than the turns
     * @param owners gets the taker's rank for each slot taken, xor {@code flip}
     */
    void walk(char[] window, int turns, SlotSet there, int left, int[] owners, int flip);
}
