package io.quorumlb.node.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quorumlb.node.core.NeighbourView;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Meters of where the node sends packets to. */
final class NeighbourMeters {
    private static final double MILLIS_PER_SECOND = 1e3;

    private NeighbourMeters() {}

    static void register(MeterRegistry registry, Supplier<List<NeighbourView>> neighbours, LongSupplier changes) {
        for (NeighbourView.State state : NeighbourView.State.values()) {
            Gauge.builder("quorumlb.neighbours", neighbours, views -> count(views.get(), state))
                    .description("Addresses that the node sends to, by how good their MAC address is")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .strongReference(true)
                    .register(registry);
        }
        Gauge.builder("quorumlb.neighbour.age.seconds", neighbours, views -> oldest(views.get()))
                .description("Longest time since a station last confirmed its address; of those that ever did")
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("quorumlb.neighbour.changes", changes, LongSupplier::getAsLong)
                .description("Addresses found at another MAC address than before")
                .register(registry);
    }

    private static long count(List<NeighbourView> views, NeighbourView.State state) {
        return views.stream().filter(view -> view.state() == state).count();
    }

    private static double oldest(List<NeighbourView> views) {
        long millis = views.stream()
                .flatMap(view -> view.confirmed().stream())
                .mapToLong(Duration::toMillis)
                .max()
                .orElse(0);
        return millis / MILLIS_PER_SECOND;
    }
}
