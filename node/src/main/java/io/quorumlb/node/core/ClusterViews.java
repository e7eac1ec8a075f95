package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.node.core.ClusterView.NodeView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Puts together what one node has heard of all. */
public final class ClusterViews {
    /** Nodes publish every 500 ms; one that misses four is not there. */
    private static final Duration REACHABLE = Duration.ofSeconds(2);

    private ClusterViews() {}

    /** Returns the cluster as the node has heard it. */
    public static ClusterView of(NodeState state, MonotonicTime now) {
        List<NodeView> nodes = state.settings().voters().stream()
                .map(node -> view(state, node, now))
                .toList();
        List<String> gaps = new ArrayList<>();
        int converged = 0;
        for (NodeView node : nodes) {
            Optional<String> gap = gap(state, node);
            gap.ifPresent(text -> gaps.add(node.node() + " " + text));
            converged += gap.isEmpty() ? 1 : 0;
        }
        String count = converged + "/" + nodes.size();
        return gaps.isEmpty()
                ? new ClusterView(true, "CONVERGED " + count, nodes)
                : new ClusterView(false, "NOT CONVERGED " + count + ": " + String.join("; ", gaps), nodes);
    }

    static NodeView view(NodeState state, NodeId node, MonotonicTime now) {
        if (node.equals(state.settings().self())) {
            NodeRecord own = new NodeRecord(
                    node,
                    state.gossip().incarnation(),
                    state.gossip().own().sequence(),
                    Duration.ZERO,
                    Reporting.report(state, now));
            return new NodeView(node, true, Duration.ZERO, Optional.of(own));
        }
        return Optional.ofNullable(state.gossip().held().get(node))
                .flatMap(held -> held.asOf(now))
                .map(record ->
                        new NodeView(node, record.age().compareTo(REACHABLE) <= 0, record.age(), Optional.of(record)))
                .orElseGet(() -> new NodeView(node, false, Duration.ZERO, Optional.empty()));
    }

    /** Returns what keeps the node from being converged, for people. */
    private static Optional<String> gap(NodeState state, NodeView node) {
        if (!node.reachable()) {
            return Optional.of(unreachable(node));
        }
        for (Pool pool : state.cluster().model().pools().values()) {
            Optional<String> gap = gap(state, node, pool);
            if (gap.isPresent()) {
                return gap;
            }
        }
        return Optional.empty();
    }

    static String unreachable(NodeView node) {
        return node.record().isEmpty()
                ? "has not been heard of"
                : String.format(
                        Locale.ROOT, "unreachable for %.1f s", node.age().toMillis() / 1000.0);
    }

    private static Optional<String> gap(NodeState state, NodeView node, Pool pool) {
        Optional<PoolReport> report = report(node, pool.id());
        if (report.isEmpty()) {
            return Optional.of("does not know pool " + pool.name() + " yet");
        }
        long committed = state.cluster().generationNumber(pool.id());
        long reported = report.get().generation();
        if (reported != committed) {
            return Optional.of(
                    "has generation %d of pool %s, this node %d".formatted(reported, pool.name(), committed));
        }
        InstallState install = report.get().state();
        if (install != InstallState.CONVERGED) {
            return Optional.of("%s pool %s generation %d%s"
                    .formatted(
                            install,
                            pool.name(),
                            reported,
                            report.get().detail().isEmpty()
                                    ? ""
                                    : " (" + report.get().detail() + ")"));
        }
        return Optional.empty();
    }

    static Optional<PoolReport> report(NodeView node, int poolId) {
        return node.record()
                .flatMap(record -> record.report().pools().stream()
                        .filter(pool -> pool.poolId() == poolId)
                        .findFirst());
    }
}
