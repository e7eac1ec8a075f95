package io.quorumlb.consensus.wire;

/**
 * A log entry that this version cannot read whole: no command, an unknown command or field, or a value out of range.
 *
 * <p>Skipping it would let this node's state differ from the others', so a node that meets one in the log must stop.
 */
public final class UnreadableEntryException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnreadableEntryException(String message) {
        super(message);
    }

    UnreadableEntryException(String message, Throwable cause) {
        super(message, cause);
    }
}
