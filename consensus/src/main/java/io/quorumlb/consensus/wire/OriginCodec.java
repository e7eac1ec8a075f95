package io.quorumlb.consensus.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.quorumlb.consensus.machine.AuditTrail;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.machine.Requests;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.proto.v1.ClusterSnapshot;
import io.quorumlb.proto.v1.SnapshotRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Converts what writes say of themselves, and the memory of those that were done. */
public final class OriginCodec {
    private static final int CONTENT_BYTES = 16;

    private OriginCodec() {}

    /** Returns the digest of what a write asks for: equal commands have equal ones. */
    public static String content(Command command) {
        return content(EntryCodec.toWire(command));
    }

    /** Returns the digest of a message that says what a write asks for; the order in its maps does not matter. */
    public static String content(MessageLite asked) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(ordered(asked));
            return HexFormat.of().formatHex(digest, 0, CONTENT_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static byte[] ordered(MessageLite message) {
        byte[] bytes = new byte[message.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            message.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("an array of the message's own size has room for it", e);
        }
        return bytes;
    }

    static io.quorumlb.proto.v1.Origin toWire(Origin origin) {
        var message = io.quorumlb.proto.v1.Origin.newBuilder()
                .setRequestId(origin.request().value())
                .setContent(origin.content())
                .setStampMillis(origin.stampMillis());
        origin.expectedRevision().ifPresent(message::setExpectedRevision);
        origin.expectedObjectRevision().ifPresent(message::setExpectedObjectRevision);
        origin.author().ifPresent(author -> AuditCodec.toWire(author, message));
        return message.build();
    }

    static Origin fromWire(io.quorumlb.proto.v1.Origin message) {
        return new Origin(
                WireField.parse("origin.request_id", message.getRequestId(), RequestId::new),
                message.getContent(),
                WireField.number("origin.stamp_millis", message.getStampMillis()),
                message.hasExpectedRevision()
                        ? OptionalLong.of(WireField.number("origin.expected_revision", message.getExpectedRevision()))
                        : OptionalLong.empty(),
                message.hasExpectedObjectRevision()
                        ? OptionalLong.of(WireField.number(
                                "origin.expected_object_revision", message.getExpectedObjectRevision()))
                        : OptionalLong.empty(),
                AuditCodec.author(message));
    }

    static void toWire(Requests requests, ClusterSnapshot.Builder message) {
        message.setClockMillis(requests.clockMillis());
        requests.minutes()
                .forEach((minute, done) ->
                        done.forEach((request, answer) -> message.addRequests(SnapshotRequest.newBuilder()
                                .setRequestId(request.value())
                                .setContent(answer.content())
                                .setMinute(minute)
                                .setDone(OutcomeCodec.toWire(answer.done())))));
        requests.audit().records().forEach(record -> message.addAudit(AuditCodec.toWire(record)));
    }

    static Requests fromWire(ClusterSnapshot message) {
        SortedMap<Long, SortedMap<RequestId, Requests.Answer>> minutes = new TreeMap<>();
        for (SnapshotRequest request : message.getRequestsList()) {
            var answer = new Requests.Answer(request.getContent(), OutcomeCodec.fromWire(request.getDone()));
            var id = WireField.parse("snapshot.requests.request_id", request.getRequestId(), RequestId::new);
            minutes.computeIfAbsent(
                            WireField.number("snapshot.requests.minute", request.getMinute()), _ -> new TreeMap<>())
                    .put(id, answer);
        }
        return new Requests(
                WireField.number("snapshot.clock_millis", message.getClockMillis()),
                minutes,
                new AuditTrail(message.getAuditList().stream()
                        .map(AuditCodec::fromWire)
                        .toList()));
    }
}
