package io.quorumlb.consensus.model;

import java.time.Duration;

/**
 * How a pool's table is kept from changing too much or too often.
 *
 * @param massFailure part of the eligible weight, in percent, that verdicts of a majority may take down within twice the
 *     detection time; for more, all fresh voters must agree; 1..100, 100 is off
 * @param movedMax most slots that one change may move without need, in percent of M, 1..100, 100 is off
 * @param panic part of the enabled weight, in percent: while less is healthy, all enabled members take traffic; 0..100, 0
 *     is off
 * @param flapping how a member that comes and goes is held down
 * @param generationInterval shortest time between two generations that only health asks for, 0..60 s
 * @param settleMax longest time that a new leader waits for a majority of fresh voters, 0..60 s, 0 is off
 */
public record PoolGuards(
        int massFailure, int movedMax, int panic, Flapping flapping, Duration generationInterval, Duration settleMax) {
    // The limit first: the default is checked against it.
    private static final Duration TIME_MAX = Duration.ofMinutes(1);

    /** What suits a site of three nodes. */
    public static final PoolGuards DEFAULT =
            new PoolGuards(50, 60, 0, Flapping.DEFAULT, Duration.ofMillis(200), Duration.ofSeconds(3));

    /** Checks the ranges. */
    public PoolGuards {
        GuardLimits.percent("mass_failure", massFailure, 1);
        GuardLimits.percent("moved_max", movedMax, 1);
        GuardLimits.percent("panic", panic, 0);
        GuardLimits.between("generation_interval", generationInterval, Duration.ZERO, TIME_MAX);
        GuardLimits.between("settle_max", settleMax, Duration.ZERO, TIME_MAX);
    }

    /**
     * How a member that comes and goes is held down. Each change of the verdict on it adds {@link #FLIP} to its penalty,
     * which halves every half-life.
     *
     * @param limit penalty above which the member is held down, 0..100000, 0 is off
     * @param reuse penalty below which it may come back, below the limit
     * @param halfLife time in which the penalty halves, 1 s..1 h
     */
    public record Flapping(int limit, int reuse, Duration halfLife) {
        /** Penalty of one change of the verdict. */
        public static final int FLIP = 1000;

        private static final int LIMIT_MAX = 100_000;
        private static final Duration HALF_LIFE_MIN = Duration.ofSeconds(1);
        private static final Duration HALF_LIFE_MAX = Duration.ofHours(1);

        /** The third failure within about a minute holds a member down for about two. */
        public static final Flapping DEFAULT = new Flapping(4000, 1500, Duration.ofMinutes(1));

        /** Checks the ranges. */
        public Flapping {
            if (limit < 0 || limit > LIMIT_MAX) {
                throw new IllegalArgumentException("guards flap_limit %d is outside 0..%d".formatted(limit, LIMIT_MAX));
            }
            int reuseMax = limit == 0 ? LIMIT_MAX : limit - 1;
            if (reuse < 0 || reuse > reuseMax) {
                throw new IllegalArgumentException(
                        "guards flap_reuse %d is outside 0..%d (below flap_limit)".formatted(reuse, reuseMax));
            }
            GuardLimits.between("flap_half_life", halfLife, HALF_LIFE_MIN, HALF_LIFE_MAX);
        }
    }
}
