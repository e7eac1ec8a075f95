package io.quorumlb.node.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.core.ProbeTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** All meters of a node, named {@code quorumlb_*}, and those of its JVM; for Prometheus. Safe from any thread. */
public final class NodeMeters implements AutoCloseable {
    private static final Duration[] PROBE_BUCKETS = millis(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000);
    private static final Duration[] STEP_BUCKETS = millis(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final Supplier<Optional<NodeReport>> report;
    private final ReportMeters reportMeters;
    private final CounterMeters counterMeters;
    private final TrafficMeters trafficMeters;
    private final Timer goodProbes;
    private final Timer badProbes;
    private final Timer steps;

    /**
     * Makes the meters.
     *
     * @param report what the node says of itself now; empty before it has said anything
     * @param counters what its parts count
     */
    public NodeMeters(Supplier<Optional<NodeReport>> report, NodeCounters counters) {
        this.report = report;
        reportMeters = new ReportMeters(registry);
        counterMeters = new CounterMeters(registry, counters);
        trafficMeters = new TrafficMeters(registry, counters.traffic());
        NeighbourMeters.register(registry, counters.neighbours(), counters.neighbourChanges());
        goodProbes = probeTimer("success");
        badProbes = probeTimer("failure");
        steps = Timer.builder("quorumlb.step")
                .description("Time of one step of the node's loop, its effects handed out")
                .serviceLevelObjectives(STEP_BUCKETS)
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
    }

    private Timer probeTimer(String result) {
        return Timer.builder("quorumlb.probe")
                .description("Time of one probe, by what it found")
                .tag("result", result)
                .serviceLevelObjectives(PROBE_BUCKETS)
                .register(registry);
    }

    /** Notes the time of one step of the loop. */
    public void stepTook(Duration time) {
        steps.record(time);
    }

    /** Shows when the certificate that clients see ends, as Unix time. */
    public void showCertificate(Supplier<Instant> notAfter) {
        Gauge.builder(
                        "quorumlb.certificate.not.after.seconds",
                        () -> notAfter.get().getEpochSecond())
                .description("When the certificate of the node's API ends, seconds since 1970")
                .register(registry);
    }

    /** Returns the same prober, with the time and the result of each probe noted. */
    public Function<ProbeTarget, ProbeResult> timing(Function<ProbeTarget, ProbeResult> prober) {
        return target -> {
            long start = System.nanoTime();
            ProbeResult result = prober.apply(target);
            Timer timer = result.success() ? goodProbes : badProbes;
            timer.record(Duration.ofNanos(System.nanoTime() - start));
            return result;
        };
    }

    /** Returns all meters now, in Prometheus' text format 0.0.4. */
    public synchronized String scrape() {
        reportMeters.show(report.get());
        counterMeters.refresh();
        trafficMeters.refresh();
        return registry.scrape();
    }

    /** Stops listening to the JVM. */
    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }

    private static Duration[] millis(long... millis) {
        var durations = new Duration[millis.length];
        for (int i = 0; i < millis.length; i++) {
            durations[i] = Duration.ofMillis(millis[i]);
        }
        return durations;
    }
}
