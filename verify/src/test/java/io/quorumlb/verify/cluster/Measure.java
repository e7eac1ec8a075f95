package io.quorumlb.verify.cluster;

import io.grpc.StatusRuntimeException;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.ObjectMapper;

/** Times the running site: how fast members and leaders that fail are replaced, and how fast a write is proven. */
final class Measure implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int USAGE = 64;

    private final Site site = Site.running();
    private final Random random = new Random(1);

    /**
     * Runs {@code chaos/measure}.
     *
     * @param arguments {@code --detections N --failovers N --commits N --json}
     */
    public static void main(String[] arguments) {
        SortedMap<String, Integer> counts =
                new TreeMap<>(Map.of("--detections", 10, "--failovers", 5, "--commits", 200));
        boolean json = false;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--json")) {
                json = true;
            } else if (counts.containsKey(arguments[i])
                    && i + 1 < arguments.length
                    && arguments[i + 1].matches("[0-9]{1,6}")) {
                counts.put(arguments[i], Integer.valueOf(arguments[++i]));
            } else {
                System.err.println("measure: do not understand '" + arguments[i]
                        + "'; usage: measure [--detections N] [--failovers N] [--commits N] [--json]");
                System.exit(USAGE);
            }
        }
        List<Samples> all = new ArrayList<>();
        try (var measure = new Measure()) {
            measure.site.awaitConverged(Site.ALL, LIMIT);
            measure.commits(counts.getOrDefault("--commits", 0), all);
            measure.detections(counts.getOrDefault("--detections", 0), all);
            measure.failovers(counts.getOrDefault("--failovers", 0), all);
        }
        print(all, json);
    }

    /** A member freezes -> all three switches hold the table without it. */
    private void detections(int count, List<Samples> all) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // Probes come once a second: freeze at any moment between two.
            LockSupport.parkNanos(random.nextInt(1_000_000_000));
            try {
                var since = Waiting.start();
                site.container("be1").pause();
                times.add(site.awaitInstalled(since, Site.NODES, Site.WITHOUT_BE1, LIMIT));
            } finally {
                site.container("be1").unpause();
            }
            site.awaitConverged(Site.ALL, LIMIT);
            System.err.printf(
                    "detection %d of %d: %d ms%n", i + 1, count, times.getLast().toMillis());
        }
        add(all, "member frozen -> out of both pools on all three switches", times);
    }

    /** The leader freezes -> a write through another node succeeds. */
    private void failovers(int count, List<Samples> all) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String leader = site.leader();
            NodeApi other = site.api(Site.others(leader).get(i % 2));
            try {
                var since = Waiting.start();
                site.container(leader).pause();
                times.add(since.until("a write through " + other.node(), LIMIT, () -> written(other)));
            } finally {
                site.container(leader).unpause();
            }
            site.awaitConverged(Site.ALL, LIMIT);
            System.err.printf(
                    "failover %d of %d: %d ms%n", i + 1, count, times.getLast().toMillis());
        }
        add(all, "leader frozen -> write through another node", times);
    }

    private static Optional<String> written(NodeApi node) {
        try {
            node.weigh("be1", 1);
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            return Optional.of(e.getStatus().toString());
        }
    }

    /** A weight is set -> every switch has proven the generation that reflects it. */
    private void commits(int count, List<Samples> all) {
        String leader = site.leader();
        commits(count, site.api(leader), "leader", all);
        commits(count, site.api(Site.others(leader).getFirst()), "follower", all);
        site.awaitConverged(Site.ALL, LIMIT);
    }

    private void commits(int count, NodeApi node, String role, List<Samples> all) {
        List<Duration> written = new ArrayList<>();
        List<Duration> proven = new ArrayList<>();
        List<Duration> between = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                var since = Waiting.start();
                long revision = node.weigh("be1", 2 - i % 2);
                Duration committed = since.elapsed();
                WaitForGenerationResponse proof = node.waitFor(revision, LIMIT);
                Duration end = since.elapsed();
                if (!proof.getProven() || proof.getProvenByCount() != Site.NODES.size()) {
                    throw new IllegalStateException("change %d is not proven by all: %s".formatted(i, proof));
                }
                written.add(committed);
                proven.add(end);
                between.add(end.minus(committed));
            }
        } finally {
            node.weigh("be1", 1);
        }
        add(all, "weight set through the " + role + " -> answered", written);
        add(all, "weight set through the " + role + " -> proven by all three", proven);
        if (role.equals("leader")) {
            add(all, "leader submits generation (write answered) -> third proof", between);
        }
    }

    private static void add(List<Samples> all, String name, List<Duration> times) {
        if (!times.isEmpty()) {
            all.add(new Samples(name, times));
        }
    }

    private static void print(List<Samples> all, boolean json) {
        if (json) {
            System.out.println(new ObjectMapper()
                    .writeValueAsString(all.stream()
                            .map(samples -> new TreeMap<>(Map.of(
                                    "name", samples.name(),
                                    "count", samples.times().size(),
                                    "p50Millis", samples.millis(0.5),
                                    "p99Millis", samples.millis(0.99),
                                    "maxMillis", samples.worst())))
                            .toList()));
            return;
        }
        System.out.printf("%-62s %5s %9s %9s %9s%n", "milliseconds", "n", "p50", "p99", "max");
        for (Samples samples : all) {
            System.out.printf(
                    Locale.ROOT,
                    "%-62s %5d %9.1f %9.1f %9.1f%n",
                    samples.name(),
                    samples.times().size(),
                    samples.millis(0.5),
                    samples.millis(0.99),
                    samples.worst());
        }
    }

    @Override
    public void close() {
        site.close();
    }
}
