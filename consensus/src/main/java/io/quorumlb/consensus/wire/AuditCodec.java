package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.machine.Authorship;
import io.quorumlb.consensus.machine.WriteRecord;
import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.model.Role;
import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.Origin;
import java.util.Optional;

/** Converts who asked for writes, and the records of those that were done. */
public final class AuditCodec {
    private AuditCodec() {}

    /** Returns the role on the wire. */
    public static io.quorumlb.proto.v1.Role toWire(Role role) {
        return switch (role) {
            case VIEWER -> io.quorumlb.proto.v1.Role.ROLE_VIEWER;
            case OPERATOR -> io.quorumlb.proto.v1.Role.ROLE_OPERATOR;
            case ADMIN -> io.quorumlb.proto.v1.Role.ROLE_ADMIN;
        };
    }

    /**
     * Returns the role of a field.
     *
     * @throws IllegalArgumentException naming the field if it is unset or unknown
     */
    public static Role role(String field, io.quorumlb.proto.v1.Role role) {
        return switch (role) {
            case ROLE_VIEWER -> Role.VIEWER;
            case ROLE_OPERATOR -> Role.OPERATOR;
            case ROLE_ADMIN -> Role.ADMIN;
            case ROLE_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(field, role, "ROLE_VIEWER, ROLE_OPERATOR or ROLE_ADMIN");
        };
    }

    /** Returns the record of a write that was done; its status is left empty. */
    public static AuditRecord toWire(WriteRecord record) {
        Authorship author = record.author();
        return AuditRecord.newBuilder()
                .setTimeMillis(record.millis())
                .setSequence(record.sequence())
                .setCaller(author.caller().name())
                .setRole(toWire(author.caller().role()))
                .setAddress(author.caller().address())
                .setMethod(author.method())
                .setObject(author.object())
                .setRequestId(record.request().value())
                .setNode(author.node().value())
                .setRevision(record.revision())
                .build();
    }

    static WriteRecord fromWire(AuditRecord message) {
        return new WriteRecord(
                WireField.number("snapshot.audit.sequence", message.getSequence()),
                WireField.number("snapshot.audit.time_millis", message.getTimeMillis()),
                new Authorship(
                        new Caller(
                                message.getCaller(),
                                role("snapshot.audit.role", message.getRole()),
                                message.getAddress()),
                        message.getMethod(),
                        message.getObject(),
                        WireField.parse("snapshot.audit.node", message.getNode(), NodeId::new)),
                WireField.parse("snapshot.audit.request_id", message.getRequestId(), RequestId::new),
                WireField.number("snapshot.audit.revision", message.getRevision()));
    }

    static void toWire(Authorship author, Origin.Builder message) {
        message.setCaller(author.caller().name())
                .setCallerRole(toWire(author.caller().role()))
                .setCallerAddress(author.caller().address())
                .setMethod(author.method())
                .setObject(author.object())
                .setNode(author.node().value());
    }

    static Optional<Authorship> author(Origin message) {
        if (message.getCaller().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Authorship(
                new Caller(
                        message.getCaller(),
                        role("origin.caller_role", message.getCallerRole()),
                        message.getCallerAddress()),
                message.getMethod(),
                message.getObject(),
                WireField.parse("origin.node", message.getNode(), NodeId::new)));
    }
}
