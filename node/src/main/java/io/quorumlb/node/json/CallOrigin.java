package io.quorumlb.node.json;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.quorumlb.node.http.Request;

/** What a call needs to know of the HTTP request that it came in, as gRPC's own transport would say it. */
final class CallOrigin {
    private static final String AUTHORIZATION = "authorization";
    private static final Metadata.Key<String> KEY = Metadata.Key.of(AUTHORIZATION, Metadata.ASCII_STRING_MARSHALLER);

    private CallOrigin() {}

    /** Returns the headers that matter. */
    static Metadata headers(Request request) {
        Metadata headers = new Metadata();
        request.header(AUTHORIZATION).ifPresent(value -> headers.put(KEY, value));
        return headers;
    }

    /** Returns where the request came from. */
    static Attributes attributes(Request request) {
        Attributes.Builder attributes = Attributes.newBuilder().set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, request.from());
        request.session().ifPresent(session -> attributes.set(Grpc.TRANSPORT_ATTR_SSL_SESSION, session));
        return attributes.build();
    }
}
