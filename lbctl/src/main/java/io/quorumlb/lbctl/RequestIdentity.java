package io.quorumlb.lbctl;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.quorumlb.proto.v1.WriteOptions;
import java.util.UUID;

/**
 * Gives a write its request id, the same at whichever node it is asked: so it may be asked again when an answer does not come.
 *
 * @param requestId 1..64 printable ASCII characters
 */
record RequestIdentity(String requestId) implements ClientInterceptor {
    private static final String OPTIONS = "options";

    /** Returns an identity that no other write has. */
    static RequestIdentity unique() {
        return new RequestIdentity(UUID.randomUUID().toString());
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void sendMessage(Q message) {
                super.sendMessage(identified(message));
            }
        };
    }

    @SuppressWarnings("unchecked") // a message's builder builds messages of its kind
    private <Q> Q identified(Q request) {
        if (!(request instanceof Message message)) {
            return request;
        }
        FieldDescriptor field = message.getDescriptorForType().findFieldByName(OPTIONS);
        if (field == null || !(message.getField(field) instanceof WriteOptions options)) {
            return request;
        }
        return (Q) message.toBuilder()
                .setField(field, options.toBuilder().setRequestId(requestId).build())
                .build();
    }
}
