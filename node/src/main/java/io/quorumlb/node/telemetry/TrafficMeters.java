package io.quorumlb.node.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Traffic;
import io.quorumlb.node.core.TrafficView;
import io.quorumlb.ovs.pipeline.Count;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Meters of what the switch has counted. There are two for each listener and direction, two for each listener, member and
 * direction, and one for each place where packets were dropped; those of a deleted object go at the next scrape.
 */
final class TrafficMeters {
    private static final String IN = "in";
    private static final String OUT = "out";

    private final MeterRegistry registry;
    private final Supplier<Optional<TrafficView>> traffic;
    private final Map<Series, Shown> shown = new HashMap<>();
    private final Set<Series> alive = new HashSet<>();

    /** A name and what tells it from others of that name. */
    private record Series(String name, String description, Tags tags) {}

    /** A meter and what it shows. */
    private record Shown(FunctionCounter meter, AtomicLong value) {}

    TrafficMeters(MeterRegistry registry, Supplier<Optional<TrafficView>> traffic) {
        this.registry = registry;
        this.traffic = traffic;
    }

    /** Shows what was counted by now; before the switch was read there is nothing. */
    void refresh() {
        traffic.get().ifPresent(this::show);
    }

    private void show(TrafficView view) {
        alive.clear();
        view.listeners().forEach(of -> {
            Tags tags = tags(of.listener());
            both(
                    "quorumlb.listener",
                    "of a listener",
                    tags.and("direction", IN),
                    of.received().total());
            both(
                    "quorumlb.listener",
                    "of a listener",
                    tags.and("direction", OUT),
                    of.returned().total());
        });
        view.members().forEach(of -> {
            Tags tags = tags(of.listener()).and("member", of.member().name(), "pool", pool(of));
            both(
                    "quorumlb.member",
                    "of a listener and a member",
                    tags.and("direction", IN),
                    of.forwarded().total());
            both(
                    "quorumlb.member",
                    "of a listener and a member",
                    tags.and("direction", OUT),
                    of.returned().total());
        });
        view.drops()
                .forEach(of -> show(
                        new Series(
                                "quorumlb.dropped.packets",
                                "Packets that the switch dropped",
                                Tags.of(
                                        "cause",
                                        of.drop().cause().name().toLowerCase(Locale.ROOT),
                                        "table",
                                        Integer.toString(of.drop().table()),
                                        "pool",
                                        of.drop().poolId() == 0
                                                ? ""
                                                : Integer.toString(of.drop().poolId()),
                                        "member",
                                        of.member())),
                        of.dropped().total().packets()));
        show(
                new Series("quorumlb.echoed.packets", "Echo requests that the switch answered", Tags.empty()),
                view.echoed().total().packets());
        shown.entrySet().removeIf(entry -> {
            boolean gone = !alive.contains(entry.getKey());
            if (gone) {
                registry.remove(entry.getValue().meter());
            }
            return gone;
        });
    }

    private static String pool(TrafficView.OfMember of) {
        return Integer.toString(of.member().poolId());
    }

    private static Tags tags(Listener listener) {
        return Tags.of(
                "listener",
                listener.name(),
                "vip",
                listener.vip().toString(),
                "protocol",
                listener.traffic()
                        .transport()
                        .map(transport -> transport.name().toLowerCase(Locale.ROOT))
                        .orElse("any"),
                "port",
                ports(listener.traffic()));
    }

    private static String ports(Traffic traffic) {
        return switch (traffic) {
            case Traffic.Ports ports -> ports.ports().toString();
            case Traffic.AllPorts _, Traffic.Everything _ -> "all";
        };
    }

    private void both(String name, String of, Tags tags, Count count) {
        show(new Series(name + ".packets", "Packets " + of, tags), count.packets());
        show(new Series(name + ".bytes", "Bytes " + of + ", with Ethernet headers", tags), count.bytes());
    }

    private void show(Series series, long value) {
        alive.add(series);
        shown.computeIfAbsent(series, this::made).value().set(value);
    }

    private Shown made(Series series) {
        var value = new AtomicLong();
        return new Shown(
                FunctionCounter.builder(series.name(), value, AtomicLong::doubleValue)
                        .description(series.description())
                        .tags(series.tags())
                        .register(registry),
                value);
    }
}
