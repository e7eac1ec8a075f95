package io.quorumlb.verify.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.ObjectMapper;

/** Times how long a member that fails still gets new connections, as the client sees it. */
final class Detections implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String MEMBER = "be1";
    private static final String FAULT_SECONDS = "5";
    private static final int USAGE = 64;

    /** Begins at any moment between two probes of a second's interval. */
    private static final int PHASE_MILLIS = 1000;

    private final Site site = Site.running();
    private final Random random = new Random(1);

    /** How a member fails. */
    private enum Fault {
        KILLED("kill-member"),
        FROZEN("pause-member"),
        UNPLUGGED("unplug-member");

        private final String script;

        Fault(String script) {
            this.script = script;
        }
    }

    /**
     * Runs {@code chaos/measure-detection}.
     *
     * @param arguments {@code --times N --json}
     */
    public static void main(String[] arguments) {
        int times = 20;
        boolean json = false;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--json")) {
                json = true;
            } else if (arguments[i].equals("--times")
                    && i + 1 < arguments.length
                    && arguments[i + 1].matches("[1-9][0-9]{0,3}")) {
                times = Integer.parseInt(arguments[++i]);
            } else {
                System.err.println("measure-detection: do not understand '" + arguments[i]
                        + "'; usage: measure-detection [--times 1..9999] [--json]");
                System.exit(USAGE);
            }
        }
        List<Samples> all = new ArrayList<>();
        try (var detections = new Detections()) {
            for (Fault fault : Fault.values()) {
                all.add(detections.measure(fault, times));
            }
        }
        print(all, json);
    }

    private Samples measure(Fault fault, int times) {
        List<Duration> spans = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            site.awaitConverged(Site.ALL, LIMIT);
            var traffic = site.trafficMeanwhile("--rate", "500", "--seconds", "6.5", "--timeout", "1");
            LockSupport.parkNanos(
                    Duration.ofMillis(500 + random.nextInt(PHASE_MILLIS)).toNanos());
            Site.script("chaos/" + fault.script, MEMBER, FAULT_SECONDS);
            Traffic seen = traffic.join();
            spans.add(seen.lostFor());
            System.err.printf(
                    "%s %d of %d: lost for %d ms; %s%n",
                    name(fault), i + 1, times, seen.lostFor().toMillis(), seen);
        }
        site.awaitConverged(Site.ALL, LIMIT);
        return new Samples(name(fault), spans);
    }

    private static String name(Fault fault) {
        return fault.name().toLowerCase(Locale.ROOT);
    }

    private static void print(List<Samples> all, boolean json) {
        if (json) {
            System.out.println(new ObjectMapper()
                    .writeValueAsString(all.stream()
                            .map(samples -> new TreeMap<>(Map.of(
                                    "name", samples.name(),
                                    "count", samples.times().size(),
                                    "medianMillis", samples.millis(0.5),
                                    "leastMillis", samples.millis(0),
                                    "mostMillis", samples.worst())))
                            .toList()));
            return;
        }
        System.out.println("milliseconds from the first to the last new connection that a failed member got");
        System.out.printf("%-12s %5s %9s %9s %9s%n", "member", "n", "median", "least", "most");
        for (Samples samples : all) {
            System.out.printf(
                    Locale.ROOT,
                    "%-12s %5d %9.0f %9.0f %9.0f%n",
                    samples.name(),
                    samples.times().size(),
                    samples.millis(0.5),
                    samples.millis(0),
                    samples.worst());
        }
    }

    @Override
    public void close() {
        site.close();
    }
}
