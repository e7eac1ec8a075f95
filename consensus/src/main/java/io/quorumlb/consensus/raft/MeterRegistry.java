package io.quorumlb.consensus.raft;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;

/** The meters of one part of Ratis. */
final class MeterRegistry implements RatisMetricRegistry {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final MetricRegistryInfo info;
    private final Map<String, Timer> timers = new ConcurrentHashMap<>();
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();
    private final Map<String, Supplier<?>> gauges = new ConcurrentHashMap<>();

    MeterRegistry(MetricRegistryInfo info) {
        this.info = info;
    }

    /** Adds {@code ratis.COMPONENT.OWNER.METER} with its value; timers give {@code .count} and {@code .seconds}. */
    void read(Map<String, Double> values) {
        String prefix =
                "%s.%s.%s.".formatted(info.getApplicationName(), info.getMetricsComponentName(), info.getPrefix());
        timers.forEach((name, timer) -> {
            values.put(prefix + name + ".count", (double) timer.count.sum());
            values.put(prefix + name + ".seconds", timer.nanos.sum() / NANOS_PER_SECOND);
        });
        counters.forEach((name, counter) -> values.put(prefix + name, (double) counter.getCount()));
        gauges.forEach((name, gauge) -> {
            if (gauge.get() instanceof Number number) {
                values.put(prefix + name, number.doubleValue());
            }
        });
    }

    @Override
    public Timekeeper timer(String name) {
        return timers.computeIfAbsent(name, _ -> new Timer());
    }

    @Override
    public LongCounter counter(String name) {
        return counters.computeIfAbsent(name, _ -> new Counter());
    }

    @Override
    public <T> void gauge(String name, Supplier<Supplier<T>> gauge) {
        gauges.put(name, gauge.get());
    }

    @Override
    public boolean remove(String name) {
        boolean timer = timers.remove(name) != null;
        boolean counter = counters.remove(name) != null;
        boolean gauge = gauges.remove(name) != null;
        return timer || counter || gauge;
    }

    @Override
    public MetricRegistryInfo getMetricRegistryInfo() {
        return info;
    }

    private static final class Timer implements Timekeeper {
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        @Override
        public Context time() {
            long start = System.nanoTime();
            return () -> {
                long elapsed = System.nanoTime() - start;
                count.increment();
                nanos.add(elapsed);
                return elapsed;
            };
        }
    }

    private static final class Counter implements LongCounter {
        private final LongAdder value = new LongAdder();

        @Override
        public void inc(long n) {
            value.add(n);
        }

        @Override
        public void dec(long n) {
            value.add(-n);
        }

        @Override
        public long getCount() {
            return value.sum();
        }
    }
}
