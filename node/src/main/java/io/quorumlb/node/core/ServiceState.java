package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whether this node wants to be sent traffic.
 *
 * @param nextLook when it looks again
 * @param contradictedSince since when what it sees contradicts what is committed, without a break; empty while it does not
 * @param goodSince since when it sees what is committed, without a break; empty while it does not
 * @param wantsOut why it wants to be taken out of service; empty if it wants to serve
 * @param returning true from the end of its good rounds until it is back in service
 * @param blind nodes that see nothing of a pool that the others see up
 */
record ServiceState(
        MonotonicTime nextLook,
        Optional<MonotonicTime> contradictedSince,
        Optional<MonotonicTime> goodSince,
        String wantsOut,
        boolean returning,
        SortedMap<NodeId, BlindObserver> blind) {
    ServiceState {
        blind = Collections.unmodifiableSortedMap(new TreeMap<>(blind));
    }

    static ServiceState initial(MonotonicTime now) {
        return new ServiceState(now, Optional.empty(), Optional.empty(), "", false, new TreeMap<>());
    }

    ServiceState lookedAt(MonotonicTime next) {
        return new ServiceState(next, contradictedSince, goodSince, wantsOut, returning, blind);
    }

    ServiceState since(Optional<MonotonicTime> contradicted, Optional<MonotonicTime> good) {
        return new ServiceState(nextLook, contradicted, good, wantsOut, returning, blind);
    }

    ServiceState leaving(String reason) {
        return new ServiceState(nextLook, contradictedSince, goodSince, reason, false, blind);
    }

    ServiceState returned(boolean waiting) {
        return new ServiceState(nextLook, contradictedSince, goodSince, "", waiting, blind);
    }

    ServiceState with(SortedMap<NodeId, BlindObserver> nodes) {
        return new ServiceState(nextLook, contradictedSince, goodSince, wantsOut, returning, nodes);
    }
}
