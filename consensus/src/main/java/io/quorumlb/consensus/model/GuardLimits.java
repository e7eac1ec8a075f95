package io.quorumlb.consensus.model;

import java.time.Duration;

/** Checks numbers of {@link PoolGuards} and of its parts; a class of its own, because the defaults of both need it. */
final class GuardLimits {
    private static final int ALL = 100;

    private GuardLimits() {}

    static void percent(String field, int value, int min) {
        if (value < min || value > ALL) {
            throw new IllegalArgumentException("guards %s %d %% is outside %d..100 %%".formatted(field, value, min));
        }
    }

    static void between(String field, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException("guards %s %d ms is outside %d..%d ms"
                    .formatted(field, value.toMillis(), min.toMillis(), max.toMillis()));
        }
    }
}
