package io.quorumlb.consensus.site;

import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.Outcome.Cause;

/** Ends the search for changes: something is asked for that nothing can change. Never leaves the package. */
final class FixedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;

    FixedException(String field, String message) {
        super(message, null, false, false);
        this.field = field;
    }

    Outcome.Refused refused() {
        return new Outcome.Refused(Cause.INVALID, field, String.valueOf(getMessage()));
    }
}
