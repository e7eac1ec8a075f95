package io.quorumlb.node.gossip;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts since the node's start.
 *
 * @param refused calls of peers that were refused, by reason; every reason is present
 * @param dropped messages to a peer that a newer one replaced before they were sent
 * @param sent messages with records sent to peers
 * @param received messages with records taken from peers
 */
public record PeerCounters(SortedMap<PeerRefusal, Long> refused, long dropped, long sent, long received) {
    /** Copies the map. */
    public PeerCounters {
        refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    }
}
