package io.quorumlb.node.api;

import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.node.wire.CountersCodec;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.NodeCounters;
import java.time.Duration;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Asks every node what its switch has counted. */
final class CounterAnswers {
    /** An operator waits; a node that needs longer is as good as silent. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private CounterAnswers() {}

    /**
     * Returns what all nodes have counted; those that do not answer within a second with the reason.
     *
     * @throws io.grpc.StatusRuntimeException with NOT_FOUND if there is no such pool or listener
     */
    static GetCountersResponse of(NodeState state, PeerLinks links, GetCountersRequest request, MonotonicTime now) {
        if (!request.getPool().isEmpty()) {
            var _ = Listings.pool(state, "pool", request.getPool());
        }
        if (!request.getListener().isEmpty()) {
            check(state, request.getListener());
        }
        NodeId self = state.settings().self();
        SortedMap<NodeId, CompletableFuture<NodeCounters>> asked = new TreeMap<>();
        for (NodeId node : state.settings().voters()) {
            asked.put(
                    node,
                    node.equals(self)
                            ? CompletableFuture.completedFuture(CountersCodec.toWire(state, request, now))
                            : links.counters(node, request, LIMIT));
        }
        var response = GetCountersResponse.newBuilder().setAnsweredBy(self.value());
        // Each call ends by itself at the limit.
        asked.values().forEach(counters -> response.addNodes(counters.join()));
        return response.setSum(CounterSum.of(response.getNodesList())).build();
    }

    private static void check(NodeState state, String listener) {
        if (state.cluster().model().listener(listener).isEmpty()) {
            Collection<Listener> all = state.cluster().model().listeners().values();
            throw Refusals.notFound(
                    "listener",
                    "listener '%s' does not exist: %s"
                            .formatted(
                                    listener,
                                    all.isEmpty()
                                            ? "there is none"
                                            : all.stream()
                                                    .map(Listener::name)
                                                    .collect(Collectors.joining(", ", "there are ", ""))));
        }
    }
}
