package io.quorumlb.node.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** Meters of what the node's parts count. */
final class CounterMeters {
    private final MeterRegistry registry;
    private final NodeCounters counters;
    private final TreeSet<String> reasons = new TreeSet<>();

    CounterMeters(MeterRegistry registry, NodeCounters counters) {
        this.registry = registry;
        this.counters = counters;
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
    }

    /** Adds a meter for each reason of refusal that is new. */
    void refresh() {
        for (String reason : counters.peersRefused().get().keySet()) {
            if (reasons.add(reason)) {
                FunctionCounter.builder(
                                "quorumlb.peers.refused",
                                counters,
                                source -> source.peersRefused().get().getOrDefault(reason, 0L))
                        .description("Calls of other nodes that were refused")
                        .tag("reason", reason)
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
