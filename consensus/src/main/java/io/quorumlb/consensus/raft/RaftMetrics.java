package io.quorumlb.consensus.raft;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.util.TimeDuration;

/** Keeps what Ratis measures; Ratis finds it through {@link java.util.ServiceLoader}, one for the whole process. */
public final class RaftMetrics extends MetricRegistries {
    private final Map<MetricRegistryInfo, MeterRegistry> registries = new ConcurrentHashMap<>();

    /** Called by the service loader. */
    public RaftMetrics() {}

    /** Returns the present value of every meter by name; empty if Ratis uses another provider. */
    static SortedMap<String, Double> read() {
        SortedMap<String, Double> values = new TreeMap<>();
        if (MetricRegistries.global() instanceof RaftMetrics metrics) {
            metrics.registries.values().forEach(registry -> registry.read(values));
        }
        return values;
    }

    @Override
    public void clear() {
        registries.clear();
    }

    @Override
    public RatisMetricRegistry create(MetricRegistryInfo info) {
        return registries.computeIfAbsent(info, MeterRegistry::new);
    }

    @Override
    public boolean remove(MetricRegistryInfo info) {
        return registries.remove(info) != null;
    }

    @Override
    public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
        return Optional.ofNullable(registries.get(info));
    }

    @Override
    public Set<MetricRegistryInfo> getMetricRegistryInfos() {
        return registries.keySet();
    }

    @Override
    public Collection<RatisMetricRegistry> getMetricRegistries() {
        return List.copyOf(registries.values());
    }

    /** Does nothing: values are read, not reported. */
    @Override
    public void addReporterRegistration(Consumer<RatisMetricRegistry> start, Consumer<RatisMetricRegistry> stop) {}

    /** Does nothing. */
    @Override
    public void enableJmxReporter() {}

    /** Does nothing. */
    @Override
    public void enableConsoleReporter(TimeDuration rate) {}
}
