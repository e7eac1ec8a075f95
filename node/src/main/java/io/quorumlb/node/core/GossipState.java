package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What nodes have published.
 *
 * @param own this node's record as it was last published
 * @param nextBeat when this node publishes again at the latest
 * @param sent how much of the own record was sent to each peer; it may have been lost
 * @param held the other nodes' records
 * @param exchanges how many exchanges this node has begun
 * @param stall how long the process stood still when it last did
 * @param stallCounts until when messages may come in that had waited for that long
 */
record GossipState(
        Published own,
        MonotonicTime nextBeat,
        SortedMap<NodeId, Stamp> sent,
        SortedMap<NodeId, HeldRecord> held,
        long exchanges,
        Duration stall,
        MonotonicTime stallCounts) {
    GossipState {
        sent = Collections.unmodifiableSortedMap(sent);
        held = Collections.unmodifiableSortedMap(held);
    }

    static GossipState initial(long incarnation, MonotonicTime now) {
        return new GossipState(
                Published.nothing(incarnation, now), now, new TreeMap<>(), new TreeMap<>(), 0, Duration.ZERO, now);
    }

    long incarnation() {
        return own.content().incarnation();
    }

    /** Returns how much is held of the owner's record; the own one is held as it was last published. */
    Stamp stamp(NodeId self, NodeId owner) {
        return document(self, owner).stamp(owner);
    }

    Document document(NodeId self, NodeId owner) {
        if (owner.equals(self)) {
            return own.content();
        }
        HeldRecord record = held.get(owner);
        return record == null ? Document.NOTHING : record.content();
    }

    GossipState with(HeldRecord record, NodeId owner) {
        SortedMap<NodeId, HeldRecord> next = new TreeMap<>(held);
        next.put(owner, record);
        return new GossipState(own, nextBeat, sent, next, exchanges, stall, stallCounts);
    }

    /** Nobody holds anything of another incarnation. */
    GossipState livingOn(long incarnation) {
        return new GossipState(
                own.livingOn(incarnation), nextBeat, new TreeMap<>(), held, exchanges, stall, stallCounts);
    }

    GossipState published(Published next, MonotonicTime beatAt) {
        return new GossipState(next, beatAt, sent, held, exchanges, stall, stallCounts);
    }

    GossipState sent(SortedMap<NodeId, Stamp> next) {
        return new GossipState(own, nextBeat, next, held, exchanges, stall, stallCounts);
    }

    GossipState exchanged() {
        return new GossipState(own, nextBeat, sent, held, exchanges + 1, stall, stallCounts);
    }

    GossipState stalled(Duration time, MonotonicTime until) {
        return new GossipState(own, nextBeat, sent, held, exchanges, time, until);
    }
}
