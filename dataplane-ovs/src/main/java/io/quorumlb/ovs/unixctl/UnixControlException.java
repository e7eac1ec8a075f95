package io.quorumlb.ovs.unixctl;

import java.io.Serial;
import java.util.Objects;

/** A call to the control socket failed; the message names the call and the reason. */
public final class UnixControlException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    UnixControlException(String message) {
        super(message);
    }

    UnixControlException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns the reason, never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
