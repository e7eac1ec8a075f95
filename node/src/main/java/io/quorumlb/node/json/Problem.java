package io.quorumlb.node.json;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;

/** Why a request got no answer of its own: a {@code google.rpc.Status} and the HTTP status that says the same. */
final class Problem extends Exception {
    private static final long serialVersionUID = 1L;
    private static final String DOMAIN = "quorumlb";
    private static final int EXCERPT_MAX = 200;

    private final Status status;
    private final int httpStatus;

    private Problem(Status status, int httpStatus) {
        super(status.getMessage(), null, false, false);
        this.status = status;
        this.httpStatus = httpStatus;
    }

    /** Returns what a call itself ended with. */
    static Problem of(Status status) {
        // A number that this version does not know stays as it is in the body.
        Code code = Code.forNumber(status.getCode());
        return new Problem(status, HttpStatus.of(code == null ? Code.UNKNOWN : code));
    }

    /**
     * Returns what the gateway itself refuses.
     *
     * @param reason for programs, in upper case
     * @param message for people
     */
    static Problem of(Code code, String reason, String message) {
        return of(Status.newBuilder()
                .setCode(code.getNumber())
                .setMessage(message)
                .addDetails(info(reason))
                .build());
    }

    /** Returns the refusal of a body that does not say what the call needs. */
    static Problem unreadable(String message) {
        return of(Status.newBuilder()
                .setCode(Code.INVALID_ARGUMENT_VALUE)
                .setMessage(message)
                .addDetails(info("UNREADABLE"))
                .addDetails(Any.pack(BadRequest.newBuilder()
                        .addFieldViolations(BadRequest.FieldViolation.newBuilder()
                                .setField("body")
                                .setDescription(message))
                        .build()))
                .build());
    }

    /** Returns the refusal of what is above a limit of the gateway. */
    static Problem above(int httpStatus, String field, long limit, String message) {
        ErrorInfo info = ErrorInfo.newBuilder()
                .setReason("LIMIT")
                .setDomain(DOMAIN)
                .putMetadata("field", field)
                .putMetadata("limit", Long.toString(limit))
                .build();
        return new Problem(
                Status.newBuilder()
                        .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
                        .setMessage(message)
                        .addDetails(Any.pack(info))
                        .build(),
                httpStatus);
    }

    /** Returns the same with an HTTP status of its own. */
    Problem status(int other) {
        return new Problem(status, other);
    }

    private static Any info(String reason) {
        return Any.pack(
                ErrorInfo.newBuilder().setReason(reason).setDomain(DOMAIN).build());
    }

    /** Returns the first line of what somebody else wrote, not much of it, without control characters. */
    static String excerpt(String text) {
        String line = text.lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", "?");
        return line.length() > EXCERPT_MAX ? line.substring(0, EXCERPT_MAX) + "..." : line;
    }

    Status status() {
        return status;
    }

    int httpStatus() {
        return httpStatus;
    }
}
