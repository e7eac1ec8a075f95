package io.quorumlb.node.api;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.node.wire.TraceCodec;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.PacketWay;
import io.quorumlb.proto.v1.TracePacketRequest;
import io.quorumlb.proto.v1.TracePacketResponse;
import io.quorumlb.proto.v1.TracedPacket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Asks all nodes what they would do with a packet, and compares. */
final class Tracing {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private Tracing() {}

    /**
     * Returns what all nodes would do; those that do not answer within two seconds with the reason.
     *
     * @param own asks this node
     * @throws io.grpc.StatusRuntimeException with INVALID_ARGUMENT if there is no such packet
     */
    static TracePacketResponse of(
            NodeSettings settings, PeerLinks links, Function<TracedPacket, NodeTrace> own, TracePacketRequest request) {
        TracedPacket packet = request.getPacket();
        try {
            var _ = TraceCodec.fromWire(packet);
        } catch (IllegalArgumentException wrong) {
            throw Refusals.invalid("packet", String.valueOf(wrong.getMessage()));
        }
        SortedMap<NodeId, CompletableFuture<NodeTrace>> asked = new TreeMap<>();
        for (NodeId node : settings.voters()) {
            if (!node.equals(settings.self())) {
                asked.put(node, links.trace(node, packet, LIMIT));
            }
        }
        // The last one, because it is waited for here.
        asked.put(settings.self(), CompletableFuture.completedFuture(own.apply(packet)));
        var response =
                TracePacketResponse.newBuilder().setAnsweredBy(settings.self().value());
        // Each call ends by itself at the limit.
        asked.values().forEach(trace -> response.addTraces(trace.join()));
        return response.addAllDisagreements(disagreements(response.getTracesList()))
                .build();
    }

    /** Returns in what switches differ from their nodes' reckoning, and nodes from the first one, in sentences. */
    static List<String> disagreements(List<NodeTrace> traces) {
        List<String> found = new ArrayList<>();
        for (NodeTrace trace : traces) {
            if (trace.hasFound() && trace.hasPredicted()) {
                String reckoned = way(trace.getPredicted()) + exit(trace.getPredicted());
                String said = way(trace.getFound()) + exit(trace.getFound());
                if (!reckoned.equals(said)) {
                    found.add("%s: by its switch %s; by its table of generation %s %s"
                            .formatted(trace.getNode(), said, generation(trace), reckoned));
                }
            }
        }
        List<NodeTrace> asked = traces.stream().filter(NodeTrace::hasFound).toList();
        for (NodeTrace trace : asked) {
            NodeTrace first = asked.getFirst();
            if (!way(trace.getFound()).equals(way(first.getFound()))) {
                found.add("%s and %s: %s (generation %s); %s (generation %s)"
                        .formatted(
                                first.getNode(),
                                trace.getNode(),
                                way(first.getFound()),
                                generation(first),
                                way(trace.getFound()),
                                generation(trace)));
            }
        }
        return found;
    }

    private static String generation(NodeTrace trace) {
        return Long.toUnsignedString(trace.getGeneration());
    }

    /** Ports and MAC addresses of the way out are each node's own; the rest is the same everywhere. */
    private static String way(PacketWay way) {
        return "listener %s, pool %s%s, slot %s, member %s"
                .formatted(
                        way.hasListenerId() ? way.getListenerId() : "none",
                        way.hasPoolId() ? way.getPoolId() : "none",
                        way.getFailOpen() ? " (fails open)" : "",
                        way.hasSlot() ? way.getSlot() : "none",
                        way.hasMemberId() ? way.getMemberId() : "none");
    }

    private static String exit(PacketWay way) {
        return way.hasPort() ? ", out of port %d to %s".formatted(way.getPort(), way.getMac()) : ", dropped";
    }
}
