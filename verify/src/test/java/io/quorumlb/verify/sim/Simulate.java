package io.quorumlb.verify.sim;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The simulation for people: {@code SEED [--nodes N] [--planted FAULT]} prints what happens in one world,
 * {@code --seeds COUNT [--from SEED] [--nodes N]} runs many and tells of those that fail.
 */
final class Simulate {
    private static final long REPORT_EVERY_NANOS = 2_000_000_000L;
    private static final int TRANSCRIPTS_MAX = 3;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final SortedMap<String, String> options = new TreeMap<>();

    private final SortedMap<String, Integer> saidIn = new TreeMap<>();
    private long generations;
    private long acknowledged;
    private long longestConvergence;

    private Simulate() {}

    public static void main(String[] args) {
        System.exit(new Simulate().run(args));
    }

    private int run(String[] args) {
        try {
            for (int i = 0; i < args.length; i++) {
                if (args[i].startsWith("--")) {
                    options.put(args[i], args[++i]);
                } else {
                    options.put("seed", args[i]);
                }
            }
            if (options.containsKey("--seeds")) {
                return many();
            }
            if (options.containsKey("seed")) {
                return one();
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            System.err.println("cannot use the arguments: " + e.getMessage());
        }
        System.err.println(
                "usage: simulate SEED [--nodes N] [--planted FAULT] | --seeds COUNT [--from SEED] [--nodes N] [--planted FAULT]");
        return 64;
    }

    private long number(String name, long otherwise) {
        return options.containsKey(name) ? Long.parseLong(options.getOrDefault(name, "")) : otherwise;
    }

    private Planted planted() {
        return Planted.valueOf(options.getOrDefault("--planted", Planted.NOTHING.name()));
    }

    private int one() {
        var settings = Settings.drawn(number("seed", 1), (int) number("--nodes", 3));
        var result = Simulation.run(settings, planted(), Transcript.to(out::println));
        out.println(Failure.line(result));
        return result.violation().isPresent() ? 1 : 0;
    }

    /** Every fifth seed has five nodes unless a number is given. */
    private int many() {
        int count = (int) number("--seeds", 100);
        long from = number("--from", 1);
        List<Simulation.Result> failed = new ArrayList<>();
        if (options.containsKey("--nodes")) {
            failed.addAll(part(from, count, (int) number("--nodes", 3)));
        } else {
            failed.addAll(part(from, count - count / 5, 3));
            failed.addAll(part(from, count / 5, 5));
        }
        failed.stream().limit(TRANSCRIPTS_MAX).forEach(result -> out.println(Failure.text(result, planted())));
        out.println("in so many worlds nodes told operators: " + saidIn);
        out.printf(
                Locale.ROOT,
                "%d generations, %d acknowledged writes, longest convergence %d ms%n",
                generations,
                acknowledged,
                longestConvergence);
        out.printf(Locale.ROOT, "%d seeds, %d failed%n", count, failed.size());
        return failed.isEmpty() ? 0 : 1;
    }

    private List<Simulation.Result> part(long from, int count, int nodes) {
        var progress = new Progress(count, nodes);
        return Seeds.run(from, count, nodes, planted(), progress::ended, _ -> false).stream()
                .filter(result -> result.violation().isPresent())
                .toList();
    }

    /** Counts and tells how far it is. */
    private final class Progress {
        private final int count;
        private final int nodes;
        private final long start = System.nanoTime();
        private long told = start;
        private int ended;
        private int failed;
        private long events;
        private double virtualSeconds;

        Progress(int count, int nodes) {
            this.count = count;
            this.nodes = nodes;
        }

        synchronized void ended(Simulation.Result result) {
            ended++;
            events += result.events();
            virtualSeconds += result.time().toMillis() / 1000.0;
            result.said().keySet().forEach(code -> saidIn.merge(code, 1, Integer::sum));
            generations += result.generations();
            acknowledged += result.acknowledged();
            longestConvergence =
                    Math.max(longestConvergence, result.convergence().toMillis());
            if (result.violation().isPresent()) {
                failed++;
                out.println("FAILED " + Failure.line(result));
            }
            long now = System.nanoTime();
            if (now - told > REPORT_EVERY_NANOS || ended == count) {
                told = now;
                double seconds = (now - start) / 1e9;
                out.printf(
                        Locale.ROOT,
                        "%d nodes: %d of %d seeds, %d failed, %.0f s, %.0f s to go; %.1f M events, %.0f x real time%n",
                        nodes,
                        ended,
                        count,
                        failed,
                        seconds,
                        seconds / ended * (count - ended),
                        events / 1e6,
                        virtualSeconds / seconds);
            }
        }
    }
}
