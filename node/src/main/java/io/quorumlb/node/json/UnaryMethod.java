package io.quorumlb.node.json;

import com.google.protobuf.Message;
import com.google.rpc.Code;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One method of a gRPC service, called in this process: no channel, no marshalling between. */
final class UnaryMethod<Q extends Message, R extends Message> {
    private final ServerMethodDefinition<Q, R> method;
    private final Q prototype;

    /** Makes the way to a method whose request is a protobuf message. */
    UnaryMethod(ServerMethodDefinition<Q, R> method) {
        this.method = method;
        var marshaller = (PrototypeMarshaller<Q>) method.getMethodDescriptor().getRequestMarshaller();
        this.prototype = Objects.requireNonNull(marshaller.getMessagePrototype(), "protobuf's marshaller has one");
    }

    /** Returns an empty request. */
    Message.Builder newRequest() {
        return prototype.newBuilderForType();
    }

    /**
     * Calls the method on a thread of its own and waits for its answer.
     *
     * @param request made by {@link #newRequest}
     * @param limit after this the call is cancelled
     * @throws Problem if the call ended with another status than OK
     */
    @SuppressWarnings("unchecked") // the builder is the prototype's
    R call(Message.Builder request, Duration limit) throws Problem, InterruptedException {
        var call = new DirectCall<>(method.getMethodDescriptor());
        Context.CancellableContext context = Context.ROOT.withCancellation();
        Thread.ofVirtual().name("json-call").start(context.wrap(() -> run(call, (Q) request.build())));
        try {
            return call.answer(limit);
        } catch (TimeoutException e) {
            context.cancel(e);
            throw Problem.of(
                    Code.DEADLINE_EXCEEDED,
                    "DEADLINE",
                    "no answer within %d ms: a write may still be committed, read the object before repeating it"
                            .formatted(TimeUnit.NANOSECONDS.toMillis(limit.toNanos())));
        } finally {
            context.cancel(null);
        }
    }

    private void run(DirectCall<Q, R> call, Q request) {
        try {
            ServerCall.Listener<Q> listener = method.getServerCallHandler().startCall(call, new Metadata());
            listener.onMessage(request);
            listener.onHalfClose();
            listener.onComplete();
        } catch (RuntimeException e) {
            call.failed(e);
        }
    }
}
