package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.util.List;

/**
 * Who has proven one pool's generation.
 *
 * @param complete true if every reachable node in service has proven it and these are a majority of
 *     all, or all in service
 * @param generation number that was asked about
 * @param provenBy nodes whose switch holds that generation or a later one
 * @param missing the other nodes
 */
public record Proof(boolean complete, long generation, List<NodeId> provenBy, List<Missing> missing) {
    /**
     * A node that has not proven it.
     *
     * @param node which
     * @param reachable true if its record is fresh
     * @param reason for people
     */
    public record Missing(NodeId node, boolean reachable, String reason) {}

    /** Copies the lists. */
    public Proof {
        provenBy = List.copyOf(provenBy);
        missing = List.copyOf(missing);
    }
}
