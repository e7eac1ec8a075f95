package io.quorumlb.node.core;

import java.time.Duration;

/**
 * This node's probes beyond the normal rhythm, of all members together: when thousands of members fail at once, most of
 * them are found by the normal rhythm.
 *
 * @param allowance what is left
 * @param refusals how many were not made, since the start
 */
record Rechecks(Allowance allowance, long refusals) {
    private static final Duration PERIOD = Duration.ofMillis(5);
    private static final int BURST = 200;

    boolean permits(MonotonicTime now) {
        return allowance.permits(now, PERIOD, BURST);
    }

    Rechecks made(MonotonicTime now) {
        return new Rechecks(allowance.spent(now, PERIOD), refusals);
    }

    Rechecks refused() {
        return new Rechecks(allowance, refusals + 1);
    }
}
