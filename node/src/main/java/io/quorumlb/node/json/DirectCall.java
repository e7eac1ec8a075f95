package io.quorumlb.node.json;

import com.google.protobuf.Message;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The server's side of one call whose client is in the same process. */
final class DirectCall<Q extends Message, R extends Message> extends ServerCall<Q, R> {
    private final MethodDescriptor<Q, R> method;
    private final Attributes attributes;
    private final CompletableFuture<Ended<R>> ended = new CompletableFuture<>();
    private volatile Optional<R> message = Optional.empty();

    /** How the call ended. */
    private sealed interface Ended<R> {
        record Answered<R>(R message) implements Ended<R> {}

        record Refused<R>(com.google.rpc.Status status) implements Ended<R> {}
    }

    DirectCall(MethodDescriptor<Q, R> method, Attributes attributes) {
        this.method = method;
        this.attributes = attributes;
    }

    /** Returns why the call has ended, if it was refused already. */
    Optional<Problem> refusal() {
        return ended.isDone()
                        && !ended.isCompletedExceptionally()
                        && ended.join() instanceof Ended.Refused<R>(var status)
                ? Optional.of(Problem.of(status))
                : Optional.empty();
    }

    /**
     * Returns the method's answer.
     *
     * @throws Problem if it ended with another status than OK
     * @throws TimeoutException if it has not ended in time
     */
    R answer(Duration limit) throws Problem, TimeoutException, InterruptedException {
        try {
            return switch (ended.get(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                case Ended.Answered<R>(R answer) -> answer;
                case Ended.Refused<R>(var status) -> throw Problem.of(status);
            };
        } catch (ExecutionException e) {
            throw new IllegalStateException("the method threw", e.getCause());
        }
    }

    /** Notes that the method threw instead of ending the call. */
    void failed(RuntimeException e) {
        ended.completeExceptionally(e);
    }

    @Override
    public void request(int numMessages) {
        // The one message comes unasked.
    }

    @Override
    public void sendHeaders(Metadata headers) {
        // HTTP's own headers are sent instead.
    }

    @Override
    public void sendMessage(R answer) {
        message = Optional.of(answer);
    }

    @Override
    public void close(Status status, Metadata trailers) {
        if (status.isOk() && message.isPresent()) {
            ended.complete(new Ended.Answered<>(message.get()));
        } else if (status.isOk()) {
            failed(new IllegalStateException("the method ended without an answer"));
        } else {
            ended.complete(new Ended.Refused<>(refused(status, trailers)));
        }
    }

    private static com.google.rpc.Status refused(Status status, Metadata trailers) {
        return Optional.ofNullable(StatusProto.fromStatusAndTrailers(status, trailers))
                .orElseGet(() -> com.google.rpc.Status.newBuilder()
                        .setCode(status.getCode().value())
                        .setMessage(Optional.ofNullable(status.getDescription())
                                .orElse(status.getCode().name()))
                        .build());
    }

    @Override
    public Attributes getAttributes() {
        return attributes;
    }

    @Override
    public boolean isCancelled() {
        return Context.current().isCancelled();
    }

    @Override
    public MethodDescriptor<Q, R> getMethodDescriptor() {
        return method;
    }
}
