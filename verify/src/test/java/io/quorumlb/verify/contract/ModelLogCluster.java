package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The model of the log on a queue of its own, over links of 0.2 to 2 ms. */
final class ModelLogCluster implements LogCluster {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final EventQueue time = new EventQueue();
    private final SortedSet<NodeId> nodes;
    private final SortedSet<NodeId> cut = new TreeSet<>();
    private final SortedMap<NodeId, GenerationLog> logs = new TreeMap<>();
    private final SortedMap<NodeId, Recorder> recorders = new TreeMap<>();
    private final List<Recorder> all = new ArrayList<>();
    private final ModelLog model;

    ModelLogCluster(long seed, SortedSet<NodeId> nodes, LogSettings settings) {
        this.nodes = nodes;
        var random = new Random(seed);
        model = new ModelLog(
                nodes,
                seed,
                time,
                (from, to) -> cut.contains(from) || cut.contains(to)
                        ? Optional.empty()
                        : Optional.of(Duration.ofNanos(200_000 + random.nextInt(1_800_000))),
                settings);
    }

    ModelLog model() {
        return model;
    }

    EventQueue time() {
        return time;
    }

    @Override
    public List<NodeId> nodes() {
        return List.copyOf(nodes);
    }

    @Override
    public void open(NodeId node) {
        var recorder = new Recorder(node, () -> {});
        recorders.put(node, recorder);
        all.add(recorder);
        logs.put(node, model.open(node, recorder));
    }

    @Override
    public void stop(NodeId node) {
        log(node).close();
    }

    @Override
    public boolean running(NodeId node) {
        return model.running(node);
    }

    @Override
    public GenerationLog log(NodeId node) {
        return Optional.ofNullable(logs.get(node)).orElseThrow();
    }

    @Override
    public Recorder told(NodeId node) {
        return Optional.ofNullable(recorders.get(node)).orElseThrow();
    }

    @Override
    public List<Recorder> all() {
        return List.copyOf(all);
    }

    @Override
    public void cut(NodeId node) {
        cut.add(node);
    }

    @Override
    public void heal() {
        cut.clear();
    }

    @Override
    public void until(BooleanSupplier condition, Supplier<String> otherwise) {
        long end = time.nowNanos() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (time.nowNanos() > end || !time.step()) {
                throw new AssertionError("not within %s: %s".formatted(DEADLINE, otherwise.get()));
            }
        }
    }

    @Override
    public <T> T get(CompletableFuture<T> future) {
        until(future::isDone, () -> "no answer");
        return future.join();
    }

    @Override
    public void close() {
        nodes.stream().filter(logs::containsKey).forEach(this::stop);
    }
}
