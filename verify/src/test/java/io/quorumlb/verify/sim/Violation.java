package io.quorumlb.verify.sim;

import java.io.Serial;

/** An invariant did not hold. */
final class Violation extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Invariant invariant;

    Violation(Invariant invariant, String message) {
        super(invariant + ": " + message);
        this.invariant = invariant;
    }

    Invariant invariant() {
        return invariant;
    }
}
