package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Segment;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Who answers for which gateway address. Only what is away from home is kept. */
final class Gateways {
    private Gateways() {}

    static Applied assign(ClusterState state, Command.AssignGateways assign) {
        if (!assign.before().equals(state.movedGateways())) {
            return Reply.refused(
                    state,
                    Cause.STALE,
                    "gateways.before",
                    "gateways away from home are %s, planned from %s"
                            .formatted(state.movedGateways(), assign.before()));
        }
        for (var move : assign.moved().entrySet()) {
            Optional<String> wrong = wrong(state, move.getKey(), move.getValue());
            if (wrong.isPresent()) {
                return Reply.refused(state, Cause.INVALID, "gateways.moved", wrong.get());
            }
        }
        return new Applied(state.withMovedGateways(assign.moved()), new Outcome.Done(0, state.revision()));
    }

    private static Optional<String> wrong(ClusterState state, GatewayId gateway, NodeId owner) {
        Segment segment = state.model().segments().get(gateway.segmentId());
        if (segment == null) {
            return Optional.of("segment id %d does not exist".formatted(gateway.segmentId()));
        }
        if (owner.equals(gateway.home())) {
            return Optional.of("node %s is the home of its gateway in segment %s: it is not away"
                    .formatted(owner, segment.name()));
        }
        for (NodeId node : new NodeId[] {gateway.home(), owner}) {
            if (!segment.homes().contains(node)) {
                return Optional.of("node %s has no gateway in segment %s: it is not attached there"
                        .formatted(node, segment.name()));
            }
        }
        return Optional.empty();
    }

    /** Returns the moves whose segments are still there, with both nodes in them. */
    static SortedMap<GatewayId, NodeId> kept(SortedMap<GatewayId, NodeId> moved, SortedMap<Integer, Segment> segments) {
        SortedMap<GatewayId, NodeId> kept = new TreeMap<>(moved);
        kept.entrySet().removeIf(move -> {
            Segment segment = segments.get(move.getKey().segmentId());
            return segment == null
                    || !segment.homes().contains(move.getKey().home())
                    || !segment.homes().contains(move.getValue());
        });
        return kept;
    }
}
