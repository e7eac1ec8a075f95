package io.quorumlb.node.access;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.PlainText;
import io.quorumlb.proto.v1.AuditRecord;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Lets through only calls of those who may make them; the same for gRPC and for JSON over HTTP. */
final class AccessGuard implements ServerInterceptor {
    private static final int ADDRESS_MAX = 64;

    private final NodeId self;
    private final Recognition recognition;
    private final RefusedCalls refused;

    AccessGuard(NodeId self, Recognition recognition, RefusedCalls refused) {
        this.self = self;
        this.recognition = recognition;
        this.refused = refused;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String address = address(call.getAttributes());
        var session = Optional.ofNullable(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        return switch (recognition.who(headers, session, address)) {
            case Recognition.Found.Known(var caller) -> {
                var guarded = new GuardedCall<>(call, caller, self, refused);
                yield guarded.guard(next.startCall(guarded, headers));
            }
            case Recognition.Found.Unknown(String reason) -> {
                StatusRuntimeException denied = Denial.unauthenticated(reason);
                refused.note(AuditRecord.newBuilder()
                        .setAddress(address)
                        .setMethod(PlainText.of(
                                String.valueOf(call.getMethodDescriptor().getBareMethodName()), ADDRESS_MAX))
                        .setNode(self.value())
                        .setStatus(denied.getStatus().getCode().name())
                        .setMessage(reason)
                        .build());
                call.close(
                        denied.getStatus(),
                        Optional.ofNullable(denied.getTrailers()).orElseGet(Metadata::new));
                yield new ServerCall.Listener<>() {};
            }
        };
    }

    private static String address(Attributes attributes) {
        return attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress peer
                ? (peer.getAddress() == null
                                ? peer.getHostString()
                                : peer.getAddress().getHostAddress()) + ":" + peer.getPort()
                : "";
    }
}
