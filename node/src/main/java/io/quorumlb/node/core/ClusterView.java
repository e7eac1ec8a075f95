package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The cluster as one node has heard it.
 *
 * @param converged true if every node is reachable and has proven every pool's current generation
 * @param verdict one line for people, for example {@code CONVERGED 3/3}
 * @param nodes every node of the cluster, by id
 */
public record ClusterView(boolean converged, String verdict, List<NodeView> nodes) {
    /**
     * One node.
     *
     * @param node which
     * @param reachable true if its record is fresh
     * @param age age of its record, zero if none was heard
     * @param record the last record; empty if none was heard
     */
    public record NodeView(NodeId node, boolean reachable, Duration age, Optional<NodeRecord> record) {}

    /** Copies the list. */
    public ClusterView {
        nodes = List.copyOf(nodes);
    }
}
