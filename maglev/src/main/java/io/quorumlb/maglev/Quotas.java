package io.quorumlb.maglev;

import java.util.Arrays;

/**
 * Hands out turns one at a time to whoever is furthest below its exact share, without doing it one at a time.
 *
 * <p>With V the sum of the weights, the deficit of member i is M v - h V and falls by V with each turn: all its turns
 * form a falling series, and the turns given are the c greatest of all series together. So whole multiples of V are
 * cut first, and of what remains each member has one: the greatest win.
 */
final class Quotas {
    private static final int TIE_BITS = 17;
    private static final long TIE_MASK = (1L << TIE_BITS) - 1;

    private Quotas() {}

    /**
     * Adds turns to what members hold.
     *
     * @param held what each holds, changed
     * @param weights of each; nobody with 0 gets a turn
     * @param turns how many
     * @param first wins ties, then the ranks behind it, cyclic
     * @param slots number of slots M; held and turns add up to it
     */
    static void fill(int[] held, int[] weights, int turns, int first, int slots) {
        int n = held.length;
        long sum = 0;
        for (int weight : weights) {
            sum += weight;
        }
        long wholes = 0;
        long most = 0;
        for (int i = 0; i < n; i++) {
            long whole = Math.max(0, whole(held[i], weights[i], slots, sum));
            wholes += whole;
            most = Math.max(most, whole);
        }
        long level = wholes <= turns ? 0 : level(held, weights, slots, sum, turns, most);
        int left = turns;
        long[] order = new long[n];
        int candidates = 0;
        for (int i = 0; i < n; i++) {
            long whole = whole(held[i], weights[i], slots, sum);
            if (whole >= level) {
                long rest = deficit(held[i], weights[i], slots, sum) - whole * sum;
                held[i] += (int) (whole - level);
                left -= (int) (whole - level);
                int tie = i >= first ? i - first : i - first + n;
                order[candidates++] = ((sum - 1 - rest) << TIE_BITS) | tie;
            }
        }
        Arrays.sort(order, 0, candidates);
        for (int taken = 0; taken < left; taken++) {
            int i = (int) (order[taken] & TIE_MASK) + first;
            held[i >= n ? i - n : i]++;
        }
    }

    private static long deficit(int held, int weight, int slots, long sum) {
        return (long) slots * weight - held * sum;
    }

    /** Returns how many whole multiples of the sum are in the deficit, -1 if it is negative or nobody's. */
    private static long whole(int held, int weight, int slots, long sum) {
        long deficit = deficit(held, weight, slots, sum);
        if (weight == 0 || deficit < 0) {
            return -1;
        }
        return deficit < sum ? 0 : deficit / sum;
    }

    /** Returns the least number of whole multiples to leave, so that no more than the turns are given by those above. */
    private static long level(int[] held, int[] weights, int slots, long sum, int turns, long most) {
        long low = 0;
        long high = most;
        while (low < high) {
            long middle = (low + high) / 2;
            long wholes = 0;
            for (int i = 0; i < held.length; i++) {
                wholes += Math.max(0, whole(held[i], weights[i], slots, sum) - middle);
            }
            if (wholes <= turns) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
