package io.quorumlb.node.telemetry;

import io.quorumlb.node.core.NeighbourView;
import io.quorumlb.node.core.TrafficView;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the node's parts count themselves, each since the start of the process; read at each scrape, from any thread.
 *
 * @param peersRefused calls of other nodes that were refused, by reason; the reasons are few and fixed
 * @param gossipSent messages sent to other nodes
 * @param gossipSentBytes size of these
 * @param gossipDropped messages to other nodes that a newer one replaced before they were sent
 * @param eventsRefused messages of other nodes that were not taken because too many waited
 * @param probesRefused probes that were not made because too many were under way
 * @param rechecksRefused probes beyond the normal rhythm that were not made because there were too many
 * @param neighbours where the node sends packets to
 * @param neighbourChanges addresses found at another MAC address than before
 * @param traffic what the switch has counted; empty before it was read for the first time
 * @param framesFailed announcements of gateways that the switch did not take
 * @param packetsRejected packets that were answered with a refusal, because their pool has no member left
 * @param events what operators were told, by code; the codes are few and fixed
 */
public record NodeCounters(
        Supplier<SortedMap<String, Long>> peersRefused,
        LongSupplier gossipSent,
        LongSupplier gossipSentBytes,
        LongSupplier gossipDropped,
        LongSupplier eventsRefused,
        LongSupplier probesRefused,
        LongSupplier rechecksRefused,
        Supplier<List<NeighbourView>> neighbours,
        LongSupplier neighbourChanges,
        Supplier<Optional<TrafficView>> traffic,
        LongSupplier framesFailed,
        LongSupplier packetsRejected,
        Supplier<SortedMap<String, Long>> events) {}
