package io.quorumlb.node.json;

import com.google.protobuf.Message;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import java.util.Objects;
import java.util.Optional;

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
     * Begins a call. Whoever guards the method looks at its caller now, before the request is read.
     *
     * @param headers that came with it
     * @param attributes of its connection
     * @throws Problem if the caller may not call
     */
    OpenCall<Q, R> open(Metadata headers, Attributes attributes) throws Problem {
        var call = new DirectCall<>(method.getMethodDescriptor(), attributes);
        Context.CancellableContext context = Context.ROOT.withCancellation();
        Context before = context.attach();
        ServerCall.Listener<Q> listener;
        try {
            listener = method.getServerCallHandler().startCall(call, headers);
        } finally {
            context.detach(before);
        }
        var open = new OpenCall<>(call, listener, context);
        Optional<Problem> refusal = call.refusal();
        if (refusal.isPresent()) {
            open.close();
            throw refusal.get();
        }
        return open;
    }
}
