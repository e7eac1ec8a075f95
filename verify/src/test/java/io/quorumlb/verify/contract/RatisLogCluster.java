package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.raft.RaftSettings;
import io.quorumlb.consensus.raft.RaftStartException;
import io.quorumlb.consensus.raft.TunedLogs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Three real servers in this JVM. Each reaches each other one over a link of that pair, which can be cut.
 *
 * <p>A server keeps the addresses of its peers as long as it runs, but a restarted one takes them from the log, as the
 * leader saw them: cut nodes only while no node has been restarted.
 */
final class RatisLogCluster implements LogCluster {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final long SEGMENT_BYTES = 4096;

    private record Pair(NodeId from, NodeId to) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            int order = from.compareTo(other.from);
            return order != 0 ? order : to.compareTo(other.to);
        }
    }

    private final Path directory;
    private final long snapshotEntries;
    private final SortedMap<NodeId, Integer> ports = new TreeMap<>();
    private final SortedMap<Pair, CutLink> links = new TreeMap<>();
    private final SortedMap<NodeId, GenerationLog> logs = new ConcurrentSkipListMap<>();
    private final SortedMap<NodeId, Boolean> running = new ConcurrentSkipListMap<>();
    private final SortedMap<NodeId, Recorder> recorders = new ConcurrentSkipListMap<>();
    private final List<Recorder> all = new CopyOnWriteArrayList<>();

    RatisLogCluster(Path directory, List<NodeId> nodes, long snapshotEntries) throws IOException {
        this.directory = directory;
        this.snapshotEntries = snapshotEntries;
        choosePorts(nodes);
        for (NodeId from : nodes) {
            for (NodeId to : nodes) {
                if (!from.equals(to)) {
                    links.put(new Pair(from, to), new CutLink(port(to)));
                }
            }
        }
    }

    private void choosePorts(List<NodeId> nodes) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (NodeId node : nodes) {
                var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                ports.put(node, socket.getLocalPort());
            }
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private int port(NodeId node) {
        return Optional.ofNullable(ports.get(node)).orElseThrow();
    }

    private RaftSettings settings(NodeId self) {
        SortedMap<NodeId, String> peers = new TreeMap<>();
        ports.forEach((node, port) -> {
            CutLink link = links.get(new Pair(self, node));
            peers.put(node, "127.0.0.1:" + (link == null ? port : link.port()));
        });
        return new RaftSettings(
                self,
                peers,
                "contract",
                directory.resolve(self.value()),
                Duration.ofMillis(300),
                Duration.ofMillis(600));
    }

    private synchronized void ring() {
        notifyAll();
    }

    @Override
    public List<NodeId> nodes() {
        return List.copyOf(ports.keySet());
    }

    @Override
    public void open(NodeId node) throws RaftStartException {
        var recorder = new Recorder(node, this::ring);
        recorders.put(node, recorder);
        all.add(recorder);
        logs.put(node, TunedLogs.open(settings(node), snapshotEntries, SEGMENT_BYTES, recorder));
        running.put(node, true);
    }

    @Override
    public void stop(NodeId node) {
        running.put(node, false);
        log(node).close();
    }

    @Override
    public boolean running(NodeId node) {
        return running.getOrDefault(node, false);
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
        links.forEach((pair, link) -> {
            if (pair.from().equals(node) || pair.to().equals(node)) {
                link.cut();
            }
        });
    }

    @Override
    public void heal() {
        links.values().forEach(CutLink::heal);
    }

    @Override
    public synchronized void until(BooleanSupplier condition, Supplier<String> otherwise) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("not within %s: %s".formatted(DEADLINE, otherwise.get()));
            }
            wait(left);
        }
    }

    @Override
    public <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            nodes().stream().filter(this::running).forEach(node -> threads.execute(() -> stop(node)));
        }
        links.values().forEach(CutLink::close);
    }
}
