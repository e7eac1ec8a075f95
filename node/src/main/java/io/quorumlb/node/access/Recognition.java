package io.quorumlb.node.access;

import io.grpc.Metadata;
import io.quorumlb.consensus.model.Caller;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** Finds out who calls. */
sealed interface Recognition permits AccessFiles, Everybody {
    /** The header of HTTP and gRPC that a token comes in. */
    Metadata.Key<String> AUTHORIZATION = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** What was found. */
    sealed interface Found {
        /** It is somebody. */
        record Known(Caller caller) implements Found {}

        /**
         * It cannot be said who it is.
         *
         * @param reason for people; without anything secret
         */
        record Unknown(String reason) implements Found {}
    }

    /**
     * Returns who makes a call.
     *
     * @param headers of the call
     * @param session of its connection; empty without TLS
     * @param address where it came from, printable ASCII, at most 64 characters
     */
    Found who(Metadata headers, Optional<SSLSession> session, String address);
}
