package io.quorumlb.node.api;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.RequestId;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/** The errors of the API: a gRPC status, a message for people, and google.rpc details for programs. */
final class Refusals {
    private static final String DOMAIN = "quorumlb";

    private Refusals() {}

    /** Returns the error for a request that is wrong by itself. */
    static StatusRuntimeException invalid(String field, String message) {
        return refused(new Outcome.Refused(Cause.INVALID, field, message));
    }

    /**
     * Returns the error for a number that is out of its range; programs find value and range in the ErrorInfo.
     *
     * @param range as people write it, for example 0..1000
     */
    static StatusRuntimeException outside(String field, String value, String range) {
        return outside(field, value, range, "");
    }

    /**
     * Returns the error for a number that is out of its range.
     *
     * @param note ends the message, for example what zero means
     */
    static StatusRuntimeException outside(String field, String value, String range, String note) {
        SortedMap<String, String> more = new TreeMap<>();
        more.put("value", value);
        more.put("limit", range);
        return refused(
                new Outcome.Refused(Cause.INVALID, field, "%s %s is outside %s%s".formatted(field, value, range, note)),
                more);
    }

    /** Returns the error for a request that names something that does not exist. */
    static StatusRuntimeException notFound(String field, String message) {
        return refused(new Outcome.Refused(Cause.NOT_FOUND, field, message));
    }

    /** Returns the error for what the replicated state refused. */
    static StatusRuntimeException refused(Outcome.Refused refused) {
        return refused(refused, new TreeMap<>());
    }

    private static StatusRuntimeException refused(Outcome.Refused refused, SortedMap<String, String> more) {
        Code code = switch (refused.cause()) {
            case INVALID -> Code.INVALID_ARGUMENT;
            case NOT_FOUND -> Code.NOT_FOUND;
            case ALREADY_EXISTS -> Code.ALREADY_EXISTS;
            case IN_USE, STALE, LIMIT -> Code.FAILED_PRECONDITION;
            case CHANGED -> Code.ABORTED;
            case TOO_MANY -> Code.RESOURCE_EXHAUSTED;
        };
        ErrorInfo info = ErrorInfo.newBuilder()
                .setReason(refused.cause().name())
                .setDomain(DOMAIN)
                .putMetadata("field", refused.field())
                .putAllMetadata(more)
                .build();
        Status.Builder status = status(code, refused.message(), info);
        if (refused.cause() == Cause.INVALID && !refused.field().isEmpty()) {
            BadRequest.FieldViolation violation = BadRequest.FieldViolation.newBuilder()
                    .setField(refused.field())
                    .setDescription(refused.message())
                    .build();
            status.addDetails(Any.pack(
                    BadRequest.newBuilder().addFieldViolations(violation).build()));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    /** Returns the error for a write that reached no leader: nothing was written. */
    static StatusRuntimeException noLeader(String message) {
        return of(Code.UNAVAILABLE, "NO_LEADER", message);
    }

    /** Returns the error for a node that has not yet applied what the log has: nothing was written. */
    static StatusRuntimeException late(long revision) {
        return of(
                Code.UNAVAILABLE,
                "LATE",
                "this node has applied revision %d only, the log has more; nothing was written: try again through another node"
                        .formatted(revision));
    }

    /** Returns the error for a write of which nobody can say whether it will be committed. */
    static StatusRuntimeException unknown(String reason, RequestId request) {
        return of(
                Code.UNKNOWN,
                "OUTCOME_UNKNOWN",
                "the write may still be committed (%s): repeat it with request id '%s', which does nothing twice"
                        .formatted(reason, request));
    }

    /** Returns the error for a call beyond what the node serves at once. */
    static StatusRuntimeException busy(int callsMax) {
        ErrorInfo info = ErrorInfo.newBuilder()
                .setReason("TOO_MANY_CALLS")
                .setDomain(DOMAIN)
                .putMetadata("limit", Integer.toString(callsMax))
                .build();
        return StatusProto.toStatusRuntimeException(status(
                        Code.RESOURCE_EXHAUSTED,
                        "%d calls are under way, the most this node serves at once: try again or ask another node"
                                .formatted(callsMax),
                        info)
                .build());
    }

    /** Returns the error for one more who would follow this node. */
    static StatusRuntimeException tooManyWatchers(int watchersMax) {
        return of(
                Code.RESOURCE_EXHAUSTED,
                "TOO_MANY_WATCHERS",
                "%d follow this node, the most it serves: follow another node".formatted(watchersMax));
    }

    /** Returns the error for who follows from an index that is too old. */
    static StatusRuntimeException compacted(long after, long since) {
        return of(
                Code.OUT_OF_RANGE,
                "COMPACTED",
                "changes after index %d are no longer kept here, those after %d are: list the objects, then follow from the index of a first answer"
                        .formatted(after, since));
    }

    /** Returns the error for who follows and takes nothing. */
    static StatusRuntimeException slowWatcher(Duration waited, long index) {
        return of(
                Code.RESOURCE_EXHAUSTED,
                "SLOW_WATCHER",
                "no answer was taken for %d ms: go on after the index of the last one that came, the next is %d"
                        .formatted(waited.toMillis(), index));
    }

    /** Returns the error for a caller that has gone. */
    static StatusRuntimeException cancelled() {
        return of(Code.CANCELLED, "CANCELLED", "the caller has given up");
    }

    /** Returns the error for a node that is stopping. */
    static StatusRuntimeException stopping() {
        return of(Code.UNAVAILABLE, "STOPPING", "this node is stopping: ask another node");
    }

    /** Returns the error for a defect of this program; its log has the rest. */
    static StatusRuntimeException defect() {
        return of(Code.INTERNAL, "DEFECT", "the call failed by a defect of this node: its log says where");
    }

    private static StatusRuntimeException of(Code code, String reason, String message) {
        ErrorInfo info =
                ErrorInfo.newBuilder().setReason(reason).setDomain(DOMAIN).build();
        return StatusProto.toStatusRuntimeException(status(code, message, info).build());
    }

    private static Status.Builder status(Code code, String message, ErrorInfo info) {
        return Status.newBuilder().setCode(code.getNumber()).setMessage(message).addDetails(Any.pack(info));
    }
}
