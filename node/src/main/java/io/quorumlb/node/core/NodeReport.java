package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node says of itself.
 *
 * @param leadership its part in the log
 * @param appliedIndex last log entry applied
 * @param datapath its switch
 * @param pools each pool, by id
 * @param announced true while its routes are announced
 * @param notAnnouncedReason why not, or empty
 * @param peers age of the last record of each other node that was heard of
 * @param problems what an operator should look at, one sentence each
 */
public record NodeReport(
        Leadership leadership,
        long appliedIndex,
        SwitchReport datapath,
        List<PoolReport> pools,
        boolean announced,
        String notAnnouncedReason,
        SortedMap<NodeId, Duration> peers,
        List<String> problems) {
    /** Copies the collections. */
    public NodeReport {
        pools = List.copyOf(pools);
        peers = Collections.unmodifiableSortedMap(new TreeMap<>(peers));
        problems = List.copyOf(problems);
    }

    /** Returns what of it does not change by time alone, without the pools. */
    NodeReport lasting() {
        return new NodeReport(
                leadership,
                appliedIndex,
                datapath.withReadBackAge(Duration.ZERO),
                List.of(),
                announced,
                notAnnouncedReason,
                new TreeMap<>(),
                problems);
    }

    /** Returns what {@link #lasting} left, with the rest put back. */
    NodeReport complete(List<PoolReport> allPools, SortedMap<NodeId, Duration> peerAges, Duration readBackAge) {
        return new NodeReport(
                leadership,
                appliedIndex,
                datapath.withReadBackAge(readBackAge),
                allPools,
                announced,
                notAnnouncedReason,
                peerAges,
                problems);
    }
}
