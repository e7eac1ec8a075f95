package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Segment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides who answers for which gateway: what a lost node had goes to the others, evenly; what is away comes home once its
 * home is settled. A function of its arguments only.
 */
final class GatewayPlan {
    private final ClusterState state;
    private final SortedMap<NodeId, Fitness> fitness;
    private final SortedMap<GatewayId, NodeId> moved;

    private GatewayPlan(ClusterState state, SortedMap<NodeId, Fitness> fitness) {
        this.state = state;
        this.fitness = fitness;
        this.moved = new TreeMap<>(state.movedGateways());
    }

    /**
     * Returns the gateways that should be away from home, with their owners.
     *
     * @param state committed
     * @param fitness of every node; one that is missing holds what it has
     */
    static SortedMap<GatewayId, NodeId> next(ClusterState state, SortedMap<NodeId, Fitness> fitness) {
        var plan = new GatewayPlan(state, fitness);
        state.gateways().forEach(plan::place);
        return plan.moved;
    }

    private void place(GatewayId gateway) {
        NodeId owner = owner(gateway);
        if (of(gateway.home()) == Fitness.SETTLED) {
            moved.remove(gateway);
        } else if (of(owner) == Fitness.LOST) {
            // Nobody fit: it stays where it is, any other place would be no better.
            heir(gateway).ifPresent(heir -> give(gateway, heir));
        }
    }

    private void give(GatewayId gateway, NodeId owner) {
        if (owner.equals(gateway.home())) {
            moved.remove(gateway);
        } else {
            moved.put(gateway, owner);
        }
    }

    /** Returns who has the least to carry, first in this segment, then in all; the next after the home among equals. */
    private Optional<NodeId> heir(GatewayId gateway) {
        Segment segment = state.model().segments().get(gateway.segmentId());
        if (segment == null) {
            return Optional.empty();
        }
        List<NodeId> ring = new ArrayList<>(segment.gateways().keySet());
        int home = ring.indexOf(gateway.home());
        return ring.stream()
                .filter(node -> of(node).compareTo(Fitness.TAKES) >= 0)
                .min(Comparator.comparingLong((NodeId node) -> load(node, gateway.segmentId()))
                        .thenComparingLong(this::load)
                        .thenComparingInt(node -> Math.floorMod(ring.indexOf(node) - home, ring.size())));
    }

    private NodeId owner(GatewayId gateway) {
        return moved.getOrDefault(gateway, gateway.home());
    }

    private Fitness of(NodeId node) {
        return fitness.getOrDefault(node, Fitness.HOLDS);
    }

    private long load(NodeId node, int segmentId) {
        return state.gateways().stream()
                .filter(gateway -> gateway.segmentId() == segmentId)
                .filter(gateway -> owner(gateway).equals(node))
                .count();
    }

    private long load(NodeId node) {
        return state.gateways().stream()
                .filter(gateway -> owner(gateway).equals(node))
                .count();
    }
}
