package io.quorumlb.node.gossip;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts since the node's start.
 *
 * @param refused calls of peers that were refused, by reason; every reason is present
 * @param dropped messages to a peer that a newer one replaced before they were sent
 * @param sent messages with content sent to peers
 * @param sentBytes size of these, without what gRPC and TCP add
 * @param received messages with content taken from peers
 */
public record PeerCounters(
        SortedMap<PeerRefusal, Long> refused, long dropped, long sent, long sentBytes, long received) {
    /** Copies the map. */
    public PeerCounters {
        refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    }
}
