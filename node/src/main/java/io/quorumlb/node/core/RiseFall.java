package io.quorumlb.node.core;

import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Suspicion;
import java.util.Optional;

/**
 * Turns single probe results into a health that does not flap: only strictly consecutive results count, and one result
 * of the other kind starts anew.
 *
 * @param health what has been decided; empty until enough probes agree for the first time
 * @param lastSuccess kind of the last result
 * @param streak how many results of that kind came in a row
 */
record RiseFall(Optional<Health> health, boolean lastSuccess, int streak) {
    /** Knows nothing yet. */
    static final RiseFall UNKNOWN = new RiseFall(Optional.empty(), false, 0);

    /** Returns whether a member that is up has begun to fail. */
    Suspicion suspicion() {
        boolean failing = !lastSuccess && health.equals(Optional.of(Health.UP));
        return failing ? Suspicion.SUSPECT : Suspicion.NONE;
    }

    /**
     * Returns the state after one more result.
     *
     * @param success the result
     * @param rise successes in a row that make up
     * @param fall failures in a row that make down
     */
    RiseFall after(boolean success, int rise, int fall) {
        int next = success == lastSuccess ? Math.min(streak + 1, Math.max(rise, fall)) : 1;
        if (success && next >= rise) {
            return new RiseFall(Optional.of(Health.UP), true, next);
        }
        if (!success && next >= fall) {
            return new RiseFall(Optional.of(Health.DOWN), false, next);
        }
        return new RiseFall(health, success, next);
    }
}
