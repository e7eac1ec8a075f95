package io.quorumlb.node.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.node.core.InstallState;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.node.core.PoolReport;
import io.quorumlb.node.core.RepairCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Meters of what a node says of itself. Before the first report all but those by pool and peer are not a number. */
final class ReportMeters {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String POOL = "pool";

    private final MeterRegistry registry;
    private final MultiGauge roles;
    private final MultiGauge generations;
    private final MultiGauge converged;
    private final MultiGauge peerAges;
    private volatile Optional<NodeReport> shown = Optional.empty();

    ReportMeters(MeterRegistry registry) {
        this.registry = registry;
        roles = rows("quorumlb.role", "1 for the node's part in the log, 0 for the others");
        generations = rows("quorumlb.pool.generation", "Generation of the pool that this node has applied");
        converged =
                rows("quorumlb.pool.converged", "1 if the switch holds exactly the committed generation, read back");
        peerAges = rows("quorumlb.peer.age.seconds", "Age of the last record of each other node that was heard of");
        gauge(
                "quorumlb.term",
                "Highest term of the log",
                report -> report.leadership().term());
        gauge("quorumlb.applied.index", "Last entry of the log that was applied", NodeReport::appliedIndex);
        gauge("quorumlb.announced", "1 while the routes to the VIPs are announced", report -> flag(report.announced()));
        gauge(
                "quorumlb.problems",
                "Things that an operator should look at",
                report -> report.problems().size());
        gauge(
                "quorumlb.switch.connected",
                "1 if the last read-back succeeded",
                report -> flag(report.datapath().connected()));
        gauge(
                "quorumlb.switch.read.back.age.seconds",
                "Time since the last good read-back",
                report -> seconds(report.datapath().readBackAge()));
        gauge(
                "quorumlb.foreign.flows",
                "Flows of others in the switch, never touched",
                report -> report.datapath().foreignFlows());
        repaired("deleted", RepairCounts::deleted);
        repaired("added", RepairCounts::added);
        repaired("altered", RepairCounts::altered);
        gauge(
                "quorumlb.switch.contested",
                "1 while somebody keeps changing our flows",
                report -> flag(report.datapath().contested()));
        gauge(
                "quorumlb.gateways",
                "Gateway addresses that the switch is proven to answer for, those of other nodes among them",
                report -> report.gateways().answersFor().size());
        counter(
                "quorumlb.switch.restarts",
                "How often the switch was found empty",
                report -> report.datapath().restarts());
        gauge(
                "quorumlb.switch.last.outage.seconds",
                "How long the last restart kept the switch from forwarding: seen gone to proven",
                report -> seconds(report.datapath().lastOutage()));
        counter(
                "quorumlb.flow.mods",
                "Flow-mods sent to the switch",
                report -> report.datapath().flowModsSent());
        counter(
                "quorumlb.fail.closed.packets",
                "Packets for a slot that nobody owns",
                report -> report.datapath().failClosedPackets());
    }

    /** Shows this report from now on; empty leaves the last one. */
    void show(Optional<NodeReport> report) {
        report.ifPresent(present -> {
            shown = report;
            roles.register(roleRows(present.leadership()), true);
            generations.register(poolRows(present, PoolReport::generation), true);
            converged.register(poolRows(present, pool -> flag(pool.state() == InstallState.CONVERGED)), true);
            var ages = new ArrayList<MultiGauge.Row<?>>();
            present.peers().forEach((peer, age) -> ages.add(row(Tags.of("peer", peer.value()), seconds(age))));
            peerAges.register(ages, true);
        });
    }

    private static List<MultiGauge.Row<?>> roleRows(Leadership leadership) {
        return List.of(
                row(Tags.of("role", "leader"), flag(leadership instanceof Leadership.Leading)),
                row(Tags.of("role", "follower"), flag(leadership instanceof Leadership.Following)),
                row(Tags.of("role", "searching"), flag(leadership instanceof Leadership.Searching)));
    }

    private static List<MultiGauge.Row<?>> poolRows(NodeReport report, ToDoubleFunction<PoolReport> value) {
        var rows = new ArrayList<MultiGauge.Row<?>>();
        for (PoolReport pool : report.pools()) {
            rows.add(row(Tags.of(POOL, Integer.toString(pool.poolId())), value.applyAsDouble(pool)));
        }
        return rows;
    }

    private static MultiGauge.Row<?> row(Tags tags, double value) {
        return MultiGauge.Row.of(tags, value);
    }

    private MultiGauge rows(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<NodeReport> value) {
        Gauge.builder(name, this, meters -> meters.read(value))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private void counter(String name, String description, ToDoubleFunction<NodeReport> value) {
        FunctionCounter.builder(name, this, meters -> meters.read(value))
                .description(description)
                .register(registry);
    }

    private void repaired(String kind, ToLongFunction<RepairCounts> value) {
        FunctionCounter.builder(
                        "quorumlb.repaired.flows",
                        this,
                        meters -> meters.read(
                                report -> value.applyAsLong(report.datapath().repaired())))
                .tag("kind", kind)
                .description("Own flows that others had changed and that were put right, by what had been done")
                .register(registry);
    }

    private double read(ToDoubleFunction<NodeReport> value) {
        return shown.map(value::applyAsDouble).orElse(Double.NaN);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }

    private static double flag(boolean value) {
        return value ? 1 : 0;
    }
}
