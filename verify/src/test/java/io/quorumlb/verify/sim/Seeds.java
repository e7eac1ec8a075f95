package io.quorumlb.verify.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Runs many seeds on all processors; each world has one thread. */
final class Seeds {
    private Seeds() {}

    /** Returns what came of the seeds from..from+count-1; hears of each as it ends, from any thread. */
    static List<Simulation.Result> run(long from, int count, int nodes, Consumer<Simulation.Result> ended) {
        return run(from, count, nodes, Planted.NOTHING, ended, _ -> false);
    }

    /** Returns results in the order of the seeds, up to the first that is enough; later seeds are not begun then. */
    static List<Simulation.Result> run(
            long from,
            int count,
            int nodes,
            Planted planted,
            Consumer<Simulation.Result> ended,
            Predicate<Simulation.Result> enough) {
        var results = new ArrayList<Simulation.Result>();
        var next = new AtomicLong(from);
        var stop = new AtomicBoolean();
        int threads = Runtime.getRuntime().availableProcessors();
        try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            List<Future<List<Simulation.Result>>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                parts.add(workers.submit(() -> {
                    var mine = new ArrayList<Simulation.Result>();
                    for (long seed = next.getAndIncrement();
                            seed < from + count && !stop.get();
                            seed = next.getAndIncrement()) {
                        var result = Simulation.run(Settings.drawn(seed, nodes), planted, Transcript.none());
                        mine.add(result);
                        ended.accept(result);
                        if (enough.test(result)) {
                            stop.set(true);
                        }
                    }
                    return mine;
                }));
            }
            for (var part : parts) {
                results.addAll(part.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the simulation itself failed", e.getCause());
        }
        results.sort((one, other) ->
                Long.compare(one.settings().seed(), other.settings().seed()));
        return results;
    }
}
