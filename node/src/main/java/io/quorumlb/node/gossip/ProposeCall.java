package io.quorumlb.node.gossip;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.proto.v1.ProposeResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Waits for what became of a forwarded proposal. */
final class ProposeCall implements StreamObserver<ProposeResponse> {
    private final NodeId leader;
    private final CompletableFuture<ProposeOutcome> outcome = new CompletableFuture<>();

    ProposeCall(NodeId leader) {
        this.leader = leader;
    }

    CompletableFuture<ProposeOutcome> outcome() {
        return outcome;
    }

    @Override
    public void onNext(ProposeResponse response) {
        outcome.complete(ProposeCodec.fromWire(response));
    }

    /** A callee that refused has written nothing; after any other failure the entry may be on its way. */
    @Override
    public void onError(Throwable cause) {
        Status status = Status.fromThrowable(cause);
        outcome.complete(
                switch (status.getCode()) {
                    case PERMISSION_DENIED, INVALID_ARGUMENT, RESOURCE_EXHAUSTED, UNIMPLEMENTED ->
                        new ProposeOutcome.NotLeader(Optional.empty());
                    case DEADLINE_EXCEEDED ->
                        new ProposeOutcome.Unknown("node %s did not answer in time".formatted(leader));
                    default ->
                        new ProposeOutcome.Unknown(
                                "the connection to node %s failed: %s".formatted(leader, status.getCode()));
                });
    }

    @Override
    public void onCompleted() {
        // Does nothing after onNext.
        outcome.complete(new ProposeOutcome.Unknown("node %s ended the call without an answer".formatted(leader)));
    }
}
