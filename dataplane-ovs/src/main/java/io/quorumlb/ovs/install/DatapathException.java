package io.quorumlb.ovs.install;

import java.io.Serial;
import java.util.Objects;

/** The switch could not be read or changed. The message says why and is fit for an operator. */
public final class DatapathException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What is known about the switch after the failure. */
    public enum Outcome {
        /** There was no connection, or the request was never sent in full: nothing changed. */
        UNREACHABLE,
        /** The switch said no: nothing changed. */
        REFUSED,
        /** The answer did not come or was not understood; the change may be active. Read back to know. */
        UNKNOWN
    }

    private final Outcome outcome;

    /**
     * Describes a failure.
     *
     * @param outcome what is known about the switch now
     * @param message reason, with names and values, without a full stop
     */
    public DatapathException(Outcome outcome, String message) {
        super(message);
        this.outcome = outcome;
    }

    /**
     * Describes a failure that has a cause.
     *
     * @param outcome what is known about the switch now
     * @param message reason, with names and values, without a full stop
     * @param cause what was caught
     */
    public DatapathException(Outcome outcome, String message, Throwable cause) {
        super(message, cause);
        this.outcome = outcome;
    }

    /** Returns what is known about the switch now. */
    public Outcome outcome() {
        return outcome;
    }

    /** Returns the reason, never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
