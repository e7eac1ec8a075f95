package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.model.PoolGuards.Flapping;
import java.time.Duration;

/**
 * How much a member has come and gone lately.
 *
 * @param points grows with each change of the verdict, halves every half-life
 * @param heldDown true from the moment it exceeds the limit until it falls below the reuse limit
 */
public record FlapPenalty(double points, boolean heldDown) {
    /** A member that never changed. */
    public static final FlapPenalty NONE = new FlapPenalty(0, false);

    /** A member that stops flapping is back after at most so many half-lives from the limit. */
    private static final int POINTS_MAX_LIMITS = 2;

    private static final double FORGOTTEN = 1;

    /** Returns the penalty after a time without a change. */
    public FlapPenalty after(Duration time, Flapping settings) {
        if (points == 0) {
            return this;
        }
        double halfLives = time.toNanos() / (double) settings.halfLife().toNanos();
        // StrictMath: the same on every machine.
        double left = points * StrictMath.pow(0.5, halfLives);
        boolean held = heldDown && settings.limit() > 0 && left >= settings.reuse();
        return left < FORGOTTEN ? NONE : new FlapPenalty(left, held);
    }

    /** Returns the penalty after one more change of the verdict. */
    public FlapPenalty flipped(Flapping settings) {
        if (settings.limit() == 0) {
            return NONE;
        }
        double more = Math.min(points + Flapping.FLIP, (double) POINTS_MAX_LIMITS * settings.limit() + Flapping.FLIP);
        return new FlapPenalty(more, heldDown || more > settings.limit());
    }
}
