package io.quorumlb.ovs.ovsdb;

import java.io.Serial;

/** The database sent something that RFC 7047 does not allow, or more than is taken. */
final class MalformedDatabaseException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    MalformedDatabaseException(String message) {
        super(message);
    }
}
