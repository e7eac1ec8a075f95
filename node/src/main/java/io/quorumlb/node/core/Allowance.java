package io.quorumlb.node.core;

import java.time.Duration;

/**
 * A bound on how often something extra may be done: at most {@code burst} times at once, and once per period on average.
 * So any stretch of one period sees it at most {@code burst + 1} times.
 *
 * @param spentUntil the moment at which all that was done will have been paid for
 */
record Allowance(MonotonicTime spentUntil) {
    /** Returns true if it may be done now. */
    boolean permits(MonotonicTime now, Duration period, int burst) {
        return spentUntil.since(now).compareTo(period.multipliedBy(burst - 1L)) <= 0;
    }

    /** Returns what is left after doing it once. */
    Allowance spent(MonotonicTime now, Duration period) {
        return new Allowance((spentUntil.reached(now) ? spentUntil : now).plus(period));
    }
}
