package io.quorumlb.node.probe;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One limit for all steps of a probe.
 *
 * @param startNanos when the probe began, by {@link System#nanoTime()}
 * @param limit for the whole probe
 */
record Deadline(long startNanos, Duration limit) {
    /** Starts now. */
    static Deadline startingNow(Duration limit) {
        return new Deadline(System.nanoTime(), limit);
    }

    /**
     * Returns the time left in whole milliseconds, rounded up, at least 1: a socket takes 0 for no limit.
     *
     * @throws SocketTimeoutException if none is left
     */
    int leftMillis() throws SocketTimeoutException {
        long left = limit.toNanos() - (System.nanoTime() - startNanos);
        if (left <= 0) {
            throw new SocketTimeoutException("deadline of %d ms has passed".formatted(limit.toMillis()));
        }
        return Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(left + TimeUnit.MILLISECONDS.toNanos(1) - 1));
    }

    /** Returns the time since the start in whole milliseconds. */
    long spentMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }
}
