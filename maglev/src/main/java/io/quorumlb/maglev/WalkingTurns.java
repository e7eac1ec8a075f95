package io.quorumlb.maglev;

/** Walks of few takers, or of takers with many turns one after the other: each computes its own next positions. */
final class WalkingTurns {
    private final Walks walks;
    private final int[] ranks;
    private final int[] position;
    private final long[] ahead;

    /** Starts the walks of members, the takers, at position 0. */
    WalkingTurns(Walks walks, int[] ranks, int takers) {
        this.walks = walks;
        this.ranks = ranks;
        this.position = new int[takers];
        this.ahead = new long[takers];
        for (int taker = 0; taker < takers; taker++) {
            ahead[taker] = walks.four(ranks[taker], 0);
        }
    }

    void walk(char[] takers, int turns, SlotSet there, int[] owners, int flip) {
        for (int turn = 0; turn < turns; turn++) {
            int taker = takers[turn];
            int rank = ranks[taker];
            int at = position[taker];
            long four = ahead[taker];
            int found = there.four(four);
            while (found == 0) {
                at += Walks.AT_ONCE;
                four = walks.four(rank, at);
                found = there.four(four);
            }
            int steps = Integer.numberOfTrailingZeros(found);
            owners[there.remove(four, steps)] = rank ^ flip;
            at += steps + 1;
            position[taker] = at;
            // Nobody waits for these until the taker's next turn.
            ahead[taker] = walks.four(rank, at);
        }
    }
}
