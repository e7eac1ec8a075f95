package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.NodeId;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which nodes may be sent traffic. A node leaves only while another one stays: that is checked here, where all changes
 * come one after another, and not only by the leader that proposed it.
 */
final class NodeService {
    private NodeService() {}

    static Applied set(ClusterState state, Command.SetService set) {
        NodeId node = set.node();
        boolean out = set.service() == Service.OUT;
        if (out && set.staying().stream().noneMatch(other -> !other.equals(node) && state.inService(other))) {
            return Reply.refused(
                    state,
                    Cause.LIMIT,
                    "service.node",
                    "node %s would be the last to leave: of %s none is in service".formatted(node, set.staying()));
        }
        SortedMap<NodeId, String> next = new TreeMap<>(state.outOfService());
        if (out) {
            next.putIfAbsent(node, set.reason());
        } else {
            next.remove(node);
        }
        return new Applied(state.withOutOfService(next), new Outcome.Done(0, state.revision()));
    }
}
