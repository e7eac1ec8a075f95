package io.quorumlb.node.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Meters of what the node's parts count. */
final class CounterMeters {
    private final MeterRegistry registry;
    private final NodeCounters counters;
    private final SortedSet<String> reasons = new TreeSet<>();
    private final SortedSet<String> codes = new TreeSet<>();

    CounterMeters(MeterRegistry registry, NodeCounters counters) {
        this.registry = registry;
        this.counters = counters;
        counter("quorumlb.gossip.sent", "Messages sent to other nodes", counters.gossipSent());
        counter(
                "quorumlb.gossip.sent.bytes",
                "Size of the messages sent to other nodes, without what gRPC and TCP add",
                counters.gossipSentBytes());
        counter(
                "quorumlb.gossip.dropped",
                "Messages to other nodes that a newer one replaced before they were sent",
                counters.gossipDropped());
        counter(
                "quorumlb.events.refused",
                "Messages of other nodes that were not taken because too many waited",
                counters.eventsRefused());
        counter(
                "quorumlb.probes.refused",
                "Probes that were not made because too many were under way",
                counters.probesRefused());
        counter(
                "quorumlb.rechecks.refused",
                "Probes beyond the normal rhythm that were not made because there were too many",
                counters.rechecksRefused());
        counter(
                "quorumlb.gateway.frames.failed",
                "Announcements of gateway addresses that the switch did not take",
                counters.framesFailed());
        counter(
                "quorumlb.rejected.packets",
                "Packets answered by a reset or a port unreachable, because their pool has no member left",
                counters.packetsRejected());
    }

    /** Adds a meter for each reason of refusal and each kind of event that is new. */
    void refresh() {
        counters(
                "quorumlb.peers.refused",
                "Calls of other nodes that were refused",
                "reason",
                reasons,
                counters.peersRefused());
        counters("quorumlb.events", "What operators were told, by kind", "code", codes, counters.events());
    }

    private void counters(
            String name,
            String description,
            String tag,
            SortedSet<String> known,
            Supplier<SortedMap<String, Long>> counts) {
        for (String value : counts.get().keySet()) {
            if (known.add(value)) {
                FunctionCounter.builder(name, counts, source -> source.get().getOrDefault(value, 0L))
                        .description(description)
                        .tag(tag, value)
                        .register(registry);
            }
        }
    }

    private void counter(String name, String description, LongSupplier count) {
        FunctionCounter.builder(name, count, LongSupplier::getAsLong)
                .description(description)
                .register(registry);
    }
}
