package io.quorumlb.node.gossip;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.proto.v1.GetNodeCountersResponse;
import io.quorumlb.proto.v1.NodeCounters;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Waits for what a peer's switch has counted; without an answer there is the reason. */
final class CountersCall implements StreamObserver<GetNodeCountersResponse> {
    private final NodeId peer;
    private final CompletableFuture<NodeCounters> counters = new CompletableFuture<>();

    CountersCall(NodeId peer) {
        this.peer = peer;
    }

    CompletableFuture<NodeCounters> counters() {
        return counters;
    }

    /** Returns what stands for the counts of a node that gave none. */
    static NodeCounters none(NodeId peer, String reason) {
        return NodeCounters.newBuilder().setNode(peer.value()).setReason(reason).build();
    }

    @Override
    public void onNext(GetNodeCountersResponse response) {
        // A peer speaks for itself only.
        counters.complete(response.getCounters().toBuilder()
                .setNode(peer.value())
                .setAnswered(true)
                .build());
    }

    @Override
    public void onError(Throwable cause) {
        Status status = Status.fromThrowable(cause);
        String reason = switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> "no answer in time";
            case UNIMPLEMENTED -> "its version does not count";
            default ->
                "not answered: "
                        + Optional.ofNullable(status.getDescription())
                                .orElse(status.getCode().name());
        };
        counters.complete(none(peer, reason));
    }

    @Override
    public void onCompleted() {
        // Does nothing after onNext.
        counters.complete(none(peer, "it ended the call without an answer"));
    }
}
