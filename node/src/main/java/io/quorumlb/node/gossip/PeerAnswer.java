package io.quorumlb.node.gossip;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.ExamineResponse;
import io.quorumlb.proto.v1.GetNodeCountersResponse;
import io.quorumlb.proto.v1.GetNodeProbesResponse;
import io.quorumlb.proto.v1.ListRefusalsResponse;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.TraceResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Waits for what a peer says of itself; never fails: without an answer there is a message with the reason.
 *
 * @param <R> answer on the wire
 * @param <T> what it says
 */
final class PeerAnswer<R, T> implements StreamObserver<R> {
    private final Function<R, T> said;
    private final Function<String, T> none;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    private PeerAnswer(Function<R, T> said, Function<String, T> none) {
        this.said = said;
        this.none = none;
    }

    /** Waits for what the peer's switch has counted. */
    static PeerAnswer<GetNodeCountersResponse, NodeCounters> counters(NodeId peer) {
        return new PeerAnswer<>(
                // A peer speaks for itself only.
                response -> response.getCounters().toBuilder()
                        .setNode(peer.value())
                        .setAnswered(true)
                        .build(),
                reason -> NodeCounters.newBuilder()
                        .setNode(peer.value())
                        .setReason(reason)
                        .build());
    }

    /** Waits for what the peer would do with a packet. */
    static PeerAnswer<TraceResponse, NodeTrace> trace(NodeId peer) {
        return new PeerAnswer<>(
                response ->
                        response.getTrace().toBuilder().setNode(peer.value()).build(),
                reason -> NodeTrace.newBuilder()
                        .setNode(peer.value())
                        .setTrouble(reason)
                        .build());
    }

    /** Waits for what the peer's own probes have found of a member. */
    static PeerAnswer<GetNodeProbesResponse, NodeProbes> probes(NodeId peer) {
        return new PeerAnswer<>(
                response -> response.getProbes().toBuilder()
                        .setNode(peer.value())
                        .setAnswered(true)
                        .build(),
                reason -> NodeProbes.newBuilder()
                        .setNode(peer.value())
                        .setReason(reason)
                        .build());
    }

    /** Waits for what the peer has refused. */
    static PeerAnswer<ListRefusalsResponse, PeerRefusals> refusals(NodeId peer) {
        return new PeerAnswer<>(
                response -> new PeerRefusals.Told(response.getRecordsList().stream()
                        // A peer speaks for itself only.
                        .map(record -> record.toBuilder().setNode(peer.value()).build())
                        .toList()),
                PeerRefusals.Silent::new);
    }

    /** Waits for what the peer finds wrong around itself. */
    static PeerAnswer<ExamineResponse, Examination> examination(NodeId peer) {
        return new PeerAnswer<>(
                response -> response.getExamination().toBuilder()
                        .setNode(peer.value())
                        .build(),
                reason -> Examination.newBuilder()
                        .setNode(peer.value())
                        .setReason(reason)
                        .build());
    }

    CompletableFuture<T> answer() {
        return answer;
    }

    /** Returns what stands for an answer that cannot come. */
    CompletableFuture<T> without(String reason) {
        answer.complete(none.apply(reason));
        return answer;
    }

    @Override
    public void onNext(R response) {
        answer.complete(said.apply(response));
    }

    @Override
    public void onError(Throwable cause) {
        Status status = Status.fromThrowable(cause);
        var _ = without(
                switch (status.getCode()) {
                    case DEADLINE_EXCEEDED -> "no answer in time";
                    case UNIMPLEMENTED -> "its version does not know the question";
                    default ->
                        "not answered: "
                                + Optional.ofNullable(status.getDescription())
                                        .orElse(status.getCode().name());
                });
    }

    @Override
    public void onCompleted() {
        // Does nothing after onNext.
        var _ = without("it ended the call without an answer");
    }
}
