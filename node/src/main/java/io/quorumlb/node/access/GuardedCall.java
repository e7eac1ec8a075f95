package io.quorumlb.node.access;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quorumlb.consensus.machine.Authorship;
import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.PlainText;
import io.quorumlb.consensus.model.Role;
import io.quorumlb.consensus.wire.AuditCodec;
import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.WriteOptions;
import java.util.Optional;

/** A call of somebody who has said who it is: served if the role is enough; noted if it is refused, or a write that failed. */
final class GuardedCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private static final int MESSAGE_MAX = 300;
    private static final int REQUEST_ID_MAX = 64;

    private final MethodDescriptor method;
    private final Caller caller;
    private final NodeId self;
    private final RefusedCalls refused;
    private volatile Optional<Asked> asked = Optional.empty();

    /**
     * What came with the request.
     *
     * @param author who asked for what
     * @param write what it says of itself; empty if the call writes nothing
     */
    private record Asked(Authorship author, Optional<WriteOptions> write) {}

    GuardedCall(ServerCall<Q, R> call, Caller caller, NodeId self, RefusedCalls refused) {
        super(call);
        this.method = RequiredRole.method(call.getMethodDescriptor());
        this.caller = caller;
        this.self = self;
        this.refused = refused;
    }

    /** Returns the listener that looks at the request before the handler gets it. */
    Listener<Q> guard(Listener<Q> handler) {
        return new Gate(handler);
    }

    @Override
    public void close(Status status, Metadata trailers) {
        if (!status.isOk()) {
            asked.filter(what -> what.write().isPresent() || status.getCode() == Status.Code.PERMISSION_DENIED)
                    .ifPresent(what -> refused.note(record(what, status)));
        }
        super.close(status, trailers);
    }

    private AuditRecord record(Asked what, Status status) {
        Authorship author = what.author();
        String id = what.write().map(WriteOptions::getRequestId).orElse("");
        return AuditRecord.newBuilder()
                .setCaller(caller.name())
                .setRole(AuditCodec.toWire(caller.role()))
                .setAddress(caller.address())
                .setMethod(author.method())
                .setObject(author.object())
                .setRequestId(PlainText.of(id, REQUEST_ID_MAX))
                .setNode(self.value())
                .setStatus(status.getCode().name())
                .setMessage(PlainText.of(String.valueOf(status.getDescription()), MESSAGE_MAX))
                .build();
    }

    /** Lets a request through if the caller's role is enough for it. */
    private final class Gate extends SimpleForwardingServerCallListener<Q> {
        private boolean shut;

        Gate(Listener<Q> handler) {
            super(handler);
        }

        @Override
        public void onMessage(Q message) {
            if (shut) {
                return;
            }
            Message request = (Message) message;
            Role needed = RequiredRole.of(method, request);
            var author = new Authorship(caller, method.getName(), RequestSubject.of(request), self);
            asked = Optional.of(
                    new Asked(author, needed == Role.VIEWER ? Optional.empty() : RequestSubject.options(request)));
            if (!caller.role().covers(needed)) {
                shut = true;
                StatusRuntimeException denied = Denial.denied(caller, method.getName(), needed);
                close(
                        denied.getStatus(),
                        Optional.ofNullable(denied.getTrailers()).orElseGet(Metadata::new));
                return;
            }
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            if (!shut) {
                asked.ifPresentOrElse(what -> AskedCall.by(what.author()).run(super::onHalfClose), super::onHalfClose);
            }
        }
    }
}
