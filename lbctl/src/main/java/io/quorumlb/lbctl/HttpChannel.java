package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries the one unary call of a generated stub over a node's JSON port. gRPC's own transport takes longer to load than
 * a whole command may last.
 */
final class HttpChannel extends Channel {
    private static final int OK = 200;

    private final HttpConnection connection;
    private final Duration connectLimit;
    private final Supplier<Duration> answerLimit;
    private Optional<Attempt<HttpReply>> attempt = Optional.empty();

    /** Creates the channel for one call with its limits, see {@link HttpConnection#exchange}. */
    HttpChannel(HttpConnection connection, Duration connectLimit, Supplier<Duration> answerLimit) {
        this.connection = connection;
        this.connectLimit = connectLimit;
        this.answerLimit = answerLimit;
    }

    /** Returns what came of the call, once it has ended. A status alone does not tell whose word it is. */
    Attempt<HttpReply> attempt() {
        return attempt.orElseThrow();
    }

    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
        if (method.getType() != MethodType.UNARY) {
            throw new IllegalArgumentException(method.getFullMethodName() + " is no unary call");
        }
        return new Call<>(method);
    }

    @Override
    public String authority() {
        return "";
    }

    private final class Call<Q, R> extends ClientCall<Q, R> {
        private final MethodDescriptor<Q, R> method;
        private Optional<Listener<R>> listener = Optional.empty();
        private ByteString request = ByteString.EMPTY;

        Call(MethodDescriptor<Q, R> method) {
            this.method = method;
        }

        @Override
        public void start(Listener<R> responseListener, Metadata headers) {
            listener = Optional.of(responseListener);
        }

        @Override
        public void request(int numMessages) {
            // The one answer comes unasked.
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            // The call is over when halfClose returns; there is nothing to stop.
        }

        @Override
        public void sendMessage(Q message) {
            try (var bytes = method.streamRequest(message)) {
                request = ByteString.readFrom(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void halfClose() {
            Attempt<HttpReply> made =
                    connection.exchange(method.getFullMethodName(), request, connectLimit, answerLimit);
            attempt = Optional.of(made);
            Listener<R> waiting = listener.orElseThrow();
            if (made instanceof Attempt.Answered<HttpReply>(HttpReply reply)) {
                if (reply.status() == OK) {
                    waiting.onMessage(method.parseResponse(reply.body().newInput()));
                    waiting.onClose(Status.OK, new Metadata());
                } else {
                    waiting.onClose(status(reply), new Metadata());
                }
            } else {
                waiting.onClose(Status.UNAVAILABLE, new Metadata());
            }
        }
    }

    private static Status status(HttpReply reply) {
        try {
            var status = com.google.rpc.Status.parseFrom(reply.body());
            return Status.fromCodeValue(status.getCode()).withDescription(status.getMessage());
        } catch (InvalidProtocolBufferException _) {
            return Status.INTERNAL.withDescription(
                    "it answered HTTP %d and nothing readable".formatted(reply.status()));
        }
    }
}
