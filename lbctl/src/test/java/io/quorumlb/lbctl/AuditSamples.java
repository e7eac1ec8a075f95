package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.ListAuditRecordsResponse;
import io.quorumlb.proto.v1.Role;
import io.quorumlb.proto.v1.SilentNode;

/** An answer to 'lbctl audit'. */
final class AuditSamples {
    private static final long MILLIS = 1_796_000_000_000L;

    private AuditSamples() {}

    static ListAuditRecordsResponse records() {
        return ListAuditRecordsResponse.newBuilder()
                .setAnsweredBy("n1")
                .addRecords(AuditRecord.newBuilder()
                        .setTimeMillis(MILLIS)
                        .setSequence(7)
                        .setCaller("dashboard")
                        .setRole(Role.ROLE_VIEWER)
                        .setAddress("10.40.0.9:51000")
                        .setMethod("DrainMember")
                        .setObject("web/be1")
                        .setNode("n2")
                        .setStatus("PERMISSION_DENIED")
                        .setMessage("'dashboard' has the role viewer")
                        .setCount(3))
                .addRecords(AuditRecord.newBuilder()
                        .setTimeMillis(MILLIS - 61_500)
                        .setSequence(6)
                        .setAddress("10.40.0.7:40000")
                        .setMethod("ListPools")
                        .setNode("n1")
                        .setStatus("UNAUTHENTICATED")
                        .setMessage("the call came without a client certificate\u001b[2J")
                        .setCount(1))
                .addRecords(AuditRecord.newBuilder()
                        .setTimeMillis(MILLIS - 3_600_000)
                        .setSequence(12)
                        .setCaller("anna\u001b[2J")
                        .setRole(Role.ROLE_ADMIN)
                        .setAddress("10.40.0.9:50000")
                        .setMethod("CreatePool")
                        .setObject("web")
                        .setRequestId("deploy-7")
                        .setNode("n1")
                        .setStatus("OK")
                        .setRevision(19)
                        .setCount(1))
                .setNextPageToken("1.12.")
                .addSilent(SilentNode.newBuilder().setNode("n3").setReason("not connected"))
                .build();
    }
}
