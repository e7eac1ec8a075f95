package io.quorumlb.node.core;

import java.time.Duration;

/**
 * How fast one member is looked at again while somebody doubts it.
 *
 * @param allowance bounds the probes beyond the normal rhythm: {@code fall} at once, one per interval on average
 * @param bought probes that another node's suspicion still pays for
 * @param next when the next probe of the fast rhythm is due: right away after a first failure, else a fast interval after the
 *     last one of either rhythm, so that a short moment of trouble does not count as several failures
 */
record Recheck(Allowance allowance, int bought, MonotonicTime next) {
    static Recheck none(MonotonicTime now) {
        return new Recheck(new Allowance(now), 0, now);
    }

    /** Looks again right away, once: the first failure may have been bad luck. */
    Recheck rightAway(MonotonicTime now) {
        return new Recheck(allowance, bought, now);
    }

    /** Another node's suspicion pays for so many probes. */
    Recheck bought(int probes) {
        return new Recheck(allowance, probes, next);
    }

    Recheck forgotten() {
        return new Recheck(allowance, 0, next);
    }

    /** A probe of either rhythm has started. */
    Recheck after(MonotonicTime now, Duration fastInterval) {
        return new Recheck(allowance, bought, now.plus(fastInterval));
    }

    /** One of these was beyond the normal rhythm. */
    Recheck spent(MonotonicTime now, Duration interval) {
        return new Recheck(allowance.spent(now, interval), Math.max(0, bought - 1), next);
    }
}
