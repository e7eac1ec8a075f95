package io.quorumlb.node.json;

import com.google.rpc.Code;

/** HTTP's numbers for what a call can end with, as the comments of {@code google.rpc.Code} map them. */
final class HttpStatus {
    static final int OK = 200;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int CONTENT_TOO_LARGE = 413;
    static final int UNSUPPORTED_MEDIA_TYPE = 415;

    private HttpStatus() {}

    /** Returns the status of a code, 200..599. */
    static int of(Code code) {
        return switch (code) {
            case OK -> OK;
            case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case NOT_FOUND -> NOT_FOUND;
            case ALREADY_EXISTS, ABORTED -> 409;
            case RESOURCE_EXHAUSTED -> 429;
            case CANCELLED -> 499;
            case UNKNOWN, INTERNAL, DATA_LOSS, UNRECOGNIZED -> 500;
            case UNIMPLEMENTED -> 501;
            case UNAVAILABLE -> 503;
            case DEADLINE_EXCEEDED -> 504;
        };
    }
}
