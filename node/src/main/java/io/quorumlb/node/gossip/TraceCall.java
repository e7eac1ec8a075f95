package io.quorumlb.node.gossip;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.TraceResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Waits for what a peer would do with a packet; without an answer there is the reason. */
final class TraceCall implements StreamObserver<TraceResponse> {
    private final NodeId peer;
    private final CompletableFuture<NodeTrace> answer = new CompletableFuture<>();

    TraceCall(NodeId peer) {
        this.peer = peer;
    }

    CompletableFuture<NodeTrace> answer() {
        return answer;
    }

    /** Returns what stands for the trace of a node that gave none. */
    static NodeTrace none(NodeId peer, String trouble) {
        return NodeTrace.newBuilder().setNode(peer.value()).setTrouble(trouble).build();
    }

    @Override
    public void onNext(TraceResponse response) {
        // A peer speaks for itself only.
        answer.complete(response.getTrace().toBuilder().setNode(peer.value()).build());
    }

    @Override
    public void onError(Throwable cause) {
        Status status = Status.fromThrowable(cause);
        String trouble = switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> "no answer in time";
            case UNIMPLEMENTED -> "its version does not trace";
            default ->
                "not answered: "
                        + Optional.ofNullable(status.getDescription())
                                .orElse(status.getCode().name());
        };
        answer.complete(none(peer, trouble));
    }

    @Override
    public void onCompleted() {
        // Does nothing after onNext.
        answer.complete(none(peer, "it ended the call without an answer"));
    }
}
