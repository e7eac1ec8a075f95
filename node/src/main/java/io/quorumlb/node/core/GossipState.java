package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What nodes have published.
 *
 * @param incarnation of this node
 * @param sequence of this node's last record
 * @param nextPublish when this node publishes again at the latest
 * @param published this node's last record
 * @param held last record of each other node
 */
record GossipState(
        long incarnation,
        long sequence,
        MonotonicTime nextPublish,
        Optional<NodeRecord> published,
        SortedMap<NodeId, HeldRecord> held) {
    GossipState {
        held = Collections.unmodifiableSortedMap(new TreeMap<>(held));
    }

    GossipState withIncarnation(long other) {
        return new GossipState(other, sequence, nextPublish, published, held);
    }

    GossipState withHeld(SortedMap<NodeId, HeldRecord> other) {
        return new GossipState(incarnation, sequence, nextPublish, published, other);
    }

    GossipState withPublished(NodeRecord record, MonotonicTime next) {
        return new GossipState(incarnation, record.sequence(), next, Optional.of(record), held);
    }
}
