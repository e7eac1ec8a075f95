package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
 * @param wantsOut why the node wants to be taken out of service; empty if it wants to serve
 * @param wantsIn true while the node is out of service and has seen enough to return
 * @param peers age of the last record of each other node that was heard of
 * @param gateways what it says about gateways
 * @param certificateEnd when the certificate that clients see ends; empty without TLS
 * @param problems what an operator should look at, one sentence each
 */
public record NodeReport(
        Leadership leadership,
        long appliedIndex,
        SwitchReport datapath,
        List<PoolReport> pools,
        boolean announced,
        String notAnnouncedReason,
        String wantsOut,
        boolean wantsIn,
        SortedMap<NodeId, Duration> peers,
        GatewayReport gateways,
        Optional<Instant> certificateEnd,
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
                wantsOut,
                wantsIn,
                new TreeMap<>(),
                gateways,
                certificateEnd,
                problems);
    }

    /** Returns this report with these pools. */
    NodeReport with(List<PoolReport> other) {
        return new NodeReport(
                leadership,
                appliedIndex,
                datapath,
                other,
                announced,
                notAnnouncedReason,
                wantsOut,
                wantsIn,
                peers,
                gateways,
                certificateEnd,
                problems);
    }

    /** Returns this report with these ages. */
    NodeReport with(SortedMap<NodeId, Duration> peerAges, Duration readBackAge) {
        return new NodeReport(
                leadership,
                appliedIndex,
                datapath.withReadBackAge(readBackAge),
                pools,
                announced,
                notAnnouncedReason,
                wantsOut,
                wantsIn,
                peerAges,
                gateways,
                certificateEnd,
                problems);
    }
}
