package io.quorumlb.maglev;

import java.util.Arrays;

/**
 * Who takes a slot when: takers with {@code need} turns each, turn k at time ceil(k T / need), T the greatest need, by
 * time and then by rank. Handed out in windows of whole times, so that it needs little memory. Reusable.
 */
final class TurnOrder {
    /** Turns in a window, about. */
    private static final int WINDOW = 1024;
    /** Looking at every taker at every time is fastest while it costs at most this many looks per turn. */
    private static final int LOOKS_PER_TURN = 4;

    private final char[] window;
    private final int[] clock;
    private final int[] next;
    private int[] starts = new int[0];

    private int[] need = new int[0];
    private int takers;
    private int total;
    private int last;
    private int time;
    private boolean dense;

    /** Creates an order for at most so many takers, 65536 at most. */
    TurnOrder(int takersMax) {
        this.window = new char[WINDOW + takersMax];
        this.clock = new int[takersMax];
        this.next = new int[takersMax];
    }

    /**
     * Starts anew.
     *
     * @param needs turns of each taker, by rank, none negative; not changed until the next start
     * @param count number of takers
     * @param turns sum of the needs
     */
    void start(int[] needs, int count, int turns) {
        need = needs;
        takers = count;
        total = turns;
        last = 0;
        for (int i = 0; i < count; i++) {
            last = Math.max(last, needs[i]);
        }
        time = 0;
        dense = (long) count * last <= (long) LOOKS_PER_TURN * turns;
        Arrays.fill(clock, 0, count, 0);
        if (!dense) {
            for (int i = 0; i < count; i++) {
                next[i] = needs[i] == 0 ? Integer.MAX_VALUE : 0;
                step(i);
            }
        }
    }

    /** Returns the takers of the window whose turns are given by {@link #fill}. */
    char[] window() {
        return window;
    }

    /** Returns true if the turns of each window are those of one time, so that each taker has at most one. */
    boolean oneTurnEach() {
        return dense;
    }

    /** Fills the window with the next turns; returns how many, 0 after the last. */
    int fill() {
        return dense ? fillByTime() : fillByTaker();
    }

    /** At each time, each taker whose share of turns passes a whole number. */
    private int fillByTime() {
        char[] turns = window;
        int[] share = clock;
        int size = 0;
        while (size == 0 && time < last) {
            time++;
            for (int i = 0; i < takers; i++) {
                int passed = share[i] + need[i] - last;
                turns[size] = (char) i;
                // Without branches: the sign tells whether there is a turn.
                size += 1 + (passed >> 31);
                share[i] = passed + (last & (passed >> 31));
            }
        }
        return size;
    }

    /** Sorts the turns of some times by time, each taker's in its place. */
    private int fillByTaker() {
        int times = (int) Math.max(1, (long) WINDOW * last / total);
        if (starts.length <= times) {
            starts = new int[times + 1];
        }
        int from = time + 1;
        while (time < last) {
            time = Math.min(last, time + times);
            int size = countTurns(from);
            if (size > 0) {
                for (int i = 0; i < takers; i++) {
                    for (; next[i] <= time; step(i)) {
                        window[starts[next[i] - from]++] = (char) i;
                    }
                }
                return size;
            }
            from = time + 1;
        }
        return 0;
    }

    /** Leaves in starts where the turns of each time begin; returns how many there are. */
    private int countTurns(int from) {
        Arrays.fill(starts, 0);
        for (int i = 0; i < takers; i++) {
            int clockBefore = clock[i];
            int nextBefore = next[i];
            for (; next[i] <= time; step(i)) {
                starts[next[i] - from]++;
            }
            clock[i] = clockBefore;
            next[i] = nextBefore;
        }
        int size = 0;
        for (int t = 0; t <= time - from; t++) {
            int turns = starts[t];
            starts[t] = size;
            size += turns;
        }
        return size;
    }

    /** The next turn is the least time with time x need >= k x T; the clock holds by how much it is over. */
    private void step(int taker) {
        if (next[taker] == Integer.MAX_VALUE) {
            return;
        }
        int behind = last - clock[taker];
        int wait = Math.ceilDiv(behind, need[taker]);
        next[taker] += wait;
        clock[taker] = wait * need[taker] - behind;
        if (next[taker] > last) {
            next[taker] = Integer.MAX_VALUE;
        }
    }
}
