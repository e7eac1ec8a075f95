package io.quorumlb.ovs.openflow;

import java.io.Serial;
import java.util.Objects;

/** A call to the switch failed. The message names what was asked and what came back. */
public final class OpenFlowException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why a call failed. */
    public enum Kind {
        /** No connection could be made, or it ended. */
        UNREACHABLE,
        /** The peer sent bytes that are no OpenFlow 1.5, or not what was due. */
        PROTOCOL,
        /** No answer within the deadline. */
        TIMEOUT,
        /** The switch refused the request; nothing changed. */
        REFUSED
    }

    private final Kind kind;
    private final boolean maybeApplied;

    OpenFlowException(Kind kind, String message) {
        super(message);
        this.kind = kind;
        this.maybeApplied = false;
    }

    OpenFlowException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.maybeApplied = false;
    }

    private OpenFlowException(OpenFlowException failure) {
        super(failure.getMessage() + "; the commit was sent, the change may be active", failure);
        this.kind = failure.kind;
        this.maybeApplied = true;
    }

    /** Returns the same failure, marked as one after the commit was sent; a refusal stays a refusal. */
    OpenFlowException afterCommit() {
        return kind == Kind.REFUSED ? this : new OpenFlowException(this);
    }

    /** Returns why the call failed. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether the change may be active although the call failed. */
    public boolean maybeApplied() {
        return maybeApplied;
    }

    /** Returns the reason, never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
