package io.quorumlb.lbctl;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;

/**
 * How far one call came: whether it left this process, and whether its status is the node's own word. A status alone
 * does not tell: UNAVAILABLE may come from the node or from a broken connection.
 */
final class CallTrace implements ClientInterceptor {
    private volatile boolean sent;
    private volatile boolean answered;

    /** Returns false only if nothing of the call can have reached a node. */
    boolean sent() {
        return sent;
    }

    /** Returns true if the node itself ended the call. */
    boolean answered() {
        return answered;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return next.newCall(method, options.withStreamTracerFactory(new ClientStreamTracer.Factory() {
            @Override
            public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
                return new Tracer();
            }
        }));
    }

    private final class Tracer extends ClientStreamTracer {
        @Override
        public void streamCreated(Attributes transportAttributes, Metadata headers) {
            sent = true;
        }

        @Override
        public void outboundHeaders() {
            sent = true;
        }

        @Override
        public void inboundTrailers(Metadata trailers) {
            answered = true;
        }
    }
}
