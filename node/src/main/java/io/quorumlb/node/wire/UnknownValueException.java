package io.quorumlb.node.wire;

import java.io.Serial;

/** A field holds a value that only a later version knows. */
final class UnknownValueException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnknownValueException(String message) {
        super(message);
    }
}
