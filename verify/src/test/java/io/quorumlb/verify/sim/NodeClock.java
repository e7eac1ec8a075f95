package io.quorumlb.verify.sim;

import io.quorumlb.node.core.MonotonicTime;
import java.time.Duration;

/**
 * A node's own clock that never steps: it starts anywhere and runs a little fast or slow.
 *
 * @param offsetNanos what it shows when the world begins
 * @param driftPpm parts per million that it runs too fast; negative if too slow
 */
record NodeClock(long offsetNanos, long driftPpm) {
    private static final long MILLION = 1_000_000;

    /** Returns the clock of most computers, or now and then one that is badly off. */
    static NodeClock drawn(Dice dice) {
        long drift = dice.percent(10) ? dice.between(-20_000, 20_000) : dice.between(-200, 200);
        return new NodeClock(dice.between(0, Duration.ofDays(400).toNanos()), drift);
    }

    MonotonicTime at(long worldNanos) {
        return new MonotonicTime(offsetNanos + worldNanos + worldNanos / MILLION * driftPpm);
    }
}
