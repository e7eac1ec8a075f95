package io.quorumlb.node.api;

import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.wire.ModelCodec;
import io.quorumlb.node.core.ClusterView;
import io.quorumlb.node.core.ClusterView.NodeView;
import io.quorumlb.node.core.ClusterViews;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.wire.RecordCodec;
import io.quorumlb.node.wire.ReportCodec;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.GetNodeStatusRequest;
import io.quorumlb.proto.v1.GetNodeStatusResponse;
import io.quorumlb.proto.v1.NodeStatus;
import io.quorumlb.proto.v1.PoolStatus;
import io.quorumlb.proto.v1.TimedMember;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says what the answering node knows of all. */
final class ClusterStatus {
    private ClusterStatus() {}

    static GetClusterStatusResponse of(NodeState state, MonotonicTime now) {
        ClusterView view = ClusterViews.of(state, now);
        var response = GetClusterStatusResponse.newBuilder()
                .setClusterId(state.settings().clusterId())
                .setAnsweredBy(state.settings().self().value())
                .setConverged(view.converged())
                .setVerdict(view.verdict())
                .setRevision(state.cluster().revision())
                .setSlotFunction(ModelCodec.toWire(state.cluster().slotFunction()));
        view.nodes().forEach(node -> response.addNodes(toWire(node)));
        state.cluster().model().pools().values().forEach(pool -> response.addPools(toWire(state, pool)));
        state.cluster()
                .timers()
                .members()
                .keySet()
                .forEach(id -> timed(state, id, now).ifPresent(response::addTimedMembers));
        return response.build();
    }

    /**
     * Returns what the answering node has heard of one node.
     *
     * @throws io.grpc.StatusRuntimeException with NOT_FOUND and the nodes that there are
     */
    static GetNodeStatusResponse of(NodeState state, GetNodeStatusRequest request, MonotonicTime now) {
        String self = state.settings().self().value();
        String name = request.getNode().isEmpty() ? self : request.getNode();
        List<NodeView> nodes = ClusterViews.of(state, now).nodes();
        NodeView asked = nodes.stream()
                .filter(node -> node.node().value().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusals.notFound(
                        "node",
                        nodes.stream()
                                .map(node -> node.node().value())
                                .collect(Collectors.joining(
                                        ", ", "node '%s' does not exist: there are ".formatted(name), ""))));
        return GetNodeStatusResponse.newBuilder()
                .setAnsweredBy(self)
                .setStatus(toWire(asked))
                .build();
    }

    private static Optional<TimedMember> timed(NodeState state, int memberId, MonotonicTime now) {
        Model model = state.cluster().model();
        return Optional.ofNullable(model.members().get(memberId))
                .map(member -> TimedMember.newBuilder()
                        .setPool(Optional.ofNullable(model.pools().get(member.poolId()))
                                .map(Pool::name)
                                .orElse(""))
                        .setMember(member.name())
                        .setTimers(Timings.left(state, memberId, now))
                        .build());
    }

    private static NodeStatus toWire(NodeView node) {
        var status = NodeStatus.newBuilder()
                .setNode(node.node().value())
                .setReachable(node.reachable())
                .setHeard(node.record().isPresent())
                .setAgeMillis(RecordCodec.millis(node.age()));
        node.record().ifPresent(heard -> status.setReport(ReportCodec.toWire(heard.report())));
        return status.build();
    }

    private static PoolStatus toWire(NodeState state, Pool pool) {
        var status = PoolStatus.newBuilder()
                .setId(pool.id())
                .setName(pool.name())
                .setAlgorithm(ModelCodec.toWire(pool.algorithm()))
                .setSlots(pool.slots())
                .setEmptySince(state.cluster().emptySince().getOrDefault(pool.id(), 0L));
        state.cluster()
                .generation(pool.id())
                .ifPresent(generation -> status.setGeneration(generation.number())
                        .setAlgorithm(ModelCodec.toWire(generation.algorithm()))
                        .setSlots(generation.slots())
                        .setExpectedDigest(generation.expected().hex())
                        .setReason(generation.reason()));
        return status.build();
    }
}
