package io.quorumlb.lbctl;

import java.time.Duration;

/** The time that one command may take, counted on the monotonic clock. */
final class Budget {
    private final long startNanos = System.nanoTime();
    private final Duration limit;

    /**
     * Starts to count.
     *
     * @param limit whole time, above zero
     */
    Budget(Duration limit) {
        this.limit = limit;
    }

    /** Returns what was granted. */
    Duration limit() {
        return limit;
    }

    /** Returns what has passed. */
    Duration spent() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    /** Returns what is left, zero once it has passed. */
    Duration remaining() {
        Duration left = limit.minus(spent());
        return left.isNegative() ? Duration.ZERO : left;
    }
}
