package io.quorumlb.maglev;

/** Walks of few takers, or of takers with many turns one after the other: each computes its own next positions. */
final class WalksAlone implements WalkingTurns {
    private final Walks walks;
    private final int[] position;
    private final long[] ahead;
    private int[] ranks = new int[0];

    /** Creates walks that have not been started. */
    WalksAlone(Walks walks) {
        this.walks = walks;
        this.position = new int[walks.members()];
        this.ahead = new long[walks.members()];
    }

    @Override
    public void start(int[] members, int takers) {
        ranks = members;
        for (int taker = 0; taker < takers; taker++) {
            position[taker] = 0;
            ahead[taker] = walks.four(ranks[taker], 0);
        }
    }

    @Override
    public void walk(char[] window, int turns, SlotSet there, int left, int[] owners, int flip) {
        for (int turn = 0; turn < turns; turn++) {
            int taker = window[turn];
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
