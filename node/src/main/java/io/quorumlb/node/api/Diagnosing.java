package io.quorumlb.node.api;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.ClusterView;
import io.quorumlb.node.doctor.Diagnosis;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.proto.v1.DiagnoseResponse;
import io.quorumlb.proto.v1.Examination;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Has every node examine itself. */
final class Diagnosing {
    /** A node whose switch and BIRD are silent needs half of it. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private Diagnosing() {}

    /**
     * Returns what all nodes find; those that do not answer within three seconds with the reason.
     *
     * @param self this node
     * @param own examines this node
     * @param view what this node has heard, asked for once the answers are there
     */
    static DiagnoseResponse of(
            NodeId self,
            Iterable<NodeId> voters,
            PeerLinks links,
            Supplier<Examination> own,
            Supplier<ClusterView> view) {
        SortedMap<NodeId, CompletableFuture<Diagnosis.Answer>> asked = new TreeMap<>();
        for (NodeId node : voters) {
            if (!node.equals(self)) {
                long askedMillis = System.currentTimeMillis();
                asked.put(
                        node,
                        links.examine(node, LIMIT)
                                .thenApply(examination -> new Diagnosis.Answer(
                                        node, examination, askedMillis, System.currentTimeMillis())));
            }
        }
        // The last one, because it is waited for here.
        long askedMillis = System.currentTimeMillis();
        var answer = new Diagnosis.Answer(self, own.get(), askedMillis, System.currentTimeMillis());
        asked.put(self, CompletableFuture.completedFuture(answer));
        // Each call ends by itself at the limit.
        return Diagnosis.of(
                self,
                view.get(),
                asked.values().stream().map(CompletableFuture::join).toList());
    }
}
