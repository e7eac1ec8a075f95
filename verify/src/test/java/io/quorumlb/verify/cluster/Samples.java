package io.quorumlb.verify.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Times of one kind.
 *
 * @param name what was timed
 * @param times at least one, in the order of measuring
 */
record Samples(String name, List<Duration> times) {
    Samples {
        times = List.copyOf(times);
    }

    /** Returns the time that the given share of all does not exceed, nearest rank, in milliseconds. */
    double millis(double share) {
        List<Duration> sorted = new ArrayList<>(times);
        sorted.sort(null);
        int rank = (int) Math.ceil(share * sorted.size());
        return sorted.get(Math.max(rank, 1) - 1).toNanos() / 1e6;
    }

    double worst() {
        return millis(1);
    }
}
