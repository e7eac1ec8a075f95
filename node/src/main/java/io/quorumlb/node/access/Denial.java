package io.quorumlb.node.access;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.Role;

/** What callers are told who may not call. */
final class Denial {
    private static final String DOMAIN = "quorumlb";

    private Denial() {}

    /** Returns the error for a caller that has not said who it is. */
    static StatusRuntimeException unauthenticated(String reason) {
        return StatusProto.toStatusRuntimeException(Status.newBuilder()
                .setCode(Code.UNAUTHENTICATED_VALUE)
                .setMessage(reason
                        + "; say who you are by a certificate of this node's client CA (lbctl: --tls-cert, --tls-key) "
                        + "or by a token (lbctl: --token-file; over HTTP and gRPC: authorization: Bearer TOKEN)")
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason("UNAUTHENTICATED")
                        .setDomain(DOMAIN)
                        .build()))
                .build());
    }

    /** Returns the error for a caller whose role is less than the call takes. */
    static StatusRuntimeException denied(Caller caller, String method, Role needed) {
        return StatusProto.toStatusRuntimeException(Status.newBuilder()
                .setCode(Code.PERMISSION_DENIED_VALUE)
                .setMessage("'%s' has the role %s, %s takes the role %s: use a certificate or token of that role"
                        .formatted(caller.name(), caller.role().word(), method, needed.word()))
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason("ROLE")
                        .setDomain(DOMAIN)
                        .putMetadata("caller", caller.name())
                        .putMetadata("role", caller.role().word())
                        .putMetadata("required", needed.word())
                        .build()))
                .build());
    }
}
