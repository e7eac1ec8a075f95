package io.quorumlb.node.gossip;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.quorumlb.proto.v1.GossipRequest;
import io.quorumlb.proto.v1.GossipResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The peer's side of one outgoing stream: when it takes messages, and how it ends. */
final class GossipCall implements ClientResponseObserver<GossipRequest, GossipResponse> {
    private final Runnable whenReady;
    private final CompletableFuture<Status> ended = new CompletableFuture<>();

    GossipCall(Runnable whenReady) {
        this.whenReady = whenReady;
    }

    /** Waits for the end of the stream and returns its status; empty if it lives on. */
    Optional<Status> endsWithin(Duration limit) throws InterruptedException {
        try {
            return Optional.of(ended.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException _) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of a stream has no other failure than its status", e);
        }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<GossipRequest> requests) {
        requests.setOnReadyHandler(whenReady);
    }

    @Override
    public void onNext(GossipResponse response) {
        // Has no content; the end follows.
    }

    @Override
    public void onError(Throwable cause) {
        ended.complete(Status.fromThrowable(cause));
    }

    @Override
    public void onCompleted() {
        ended.complete(Status.OK);
    }
}
