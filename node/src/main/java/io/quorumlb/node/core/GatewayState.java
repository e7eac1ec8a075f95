package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.NodeId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node remembers of gateways. Every node keeps it, so that the next leader knows it at once.
 *
 * @param listeningSince start of the process, or end of its last pause: nobody is silent for longer
 * @param paths what was found of the data paths of silent nodes
 * @param standings how each node has done lately
 * @param advertisements what this node tells everybody that it answers for
 * @param nextLook when standings and plan are looked at again
 * @param proposed the assignment under way
 * @param blockedUntil when another one may be proposed although the log has not brought that one
 */
record GatewayState(
        MonotonicTime listeningSince,
        SortedMap<NodeId, PathTrack> paths,
        SortedMap<NodeId, Standing> standings,
        SortedMap<GatewayId, Advertisement> advertisements,
        MonotonicTime nextLook,
        Optional<Command.AssignGateways> proposed,
        MonotonicTime blockedUntil) {
    GatewayState {
        paths = Collections.unmodifiableSortedMap(new TreeMap<>(paths));
        standings = Collections.unmodifiableSortedMap(new TreeMap<>(standings));
        advertisements = Collections.unmodifiableSortedMap(new TreeMap<>(advertisements));
    }

    static GatewayState initial(MonotonicTime now) {
        return new GatewayState(now, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), now, Optional.empty(), now);
    }

    /** After a pause: who was silent, who was well and what was told counts no longer. */
    GatewayState woken(MonotonicTime now) {
        return initial(now);
    }

    GatewayState withPaths(SortedMap<NodeId, PathTrack> other) {
        return new GatewayState(listeningSince, other, standings, advertisements, nextLook, proposed, blockedUntil);
    }

    GatewayState withStandings(SortedMap<NodeId, Standing> other, MonotonicTime next) {
        return new GatewayState(listeningSince, paths, other, advertisements, next, proposed, blockedUntil);
    }

    GatewayState withAdvertisements(SortedMap<GatewayId, Advertisement> other) {
        return new GatewayState(listeningSince, paths, standings, other, nextLook, proposed, blockedUntil);
    }

    GatewayState proposing(Command.AssignGateways command, MonotonicTime until) {
        return new GatewayState(
                listeningSince, paths, standings, advertisements, nextLook, Optional.of(command), until);
    }

    GatewayState settled() {
        return new GatewayState(
                listeningSince, paths, standings, advertisements, nextLook, Optional.empty(), blockedUntil);
    }

    GatewayState blocked(MonotonicTime until) {
        return new GatewayState(listeningSince, paths, standings, advertisements, nextLook, proposed, until);
    }
}
