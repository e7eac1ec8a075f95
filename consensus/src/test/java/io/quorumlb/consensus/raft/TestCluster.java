package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Segment;
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
import java.util.concurrent.Executors;

/** Three real servers in this JVM, on ports of the loopback interface. */
final class TestCluster implements AutoCloseable {
    static final RaftTuning SMALL = new RaftTuning(20, 4096);
    private static final int NODES = 3;

    private final Bell bell = new Bell();
    private final List<TestNode> nodes = new ArrayList<>();

    TestCluster(Path directory, RaftTuning tuning) throws IOException {
        SortedMap<NodeId, String> peers = freePorts();
        for (NodeId id : peers.keySet()) {
            nodes.add(new TestNode(settings(id, peers, directory.resolve(id.value())), tuning, bell));
        }
    }

    static RaftSettings settings(NodeId self, SortedMap<NodeId, String> peers, Path directory) {
        return new RaftSettings(self, peers, "test", directory, Duration.ofMillis(300), Duration.ofMillis(600));
    }

    /** Returns n1 to n3 with ports that nobody listens at. */
    static SortedMap<NodeId, String> freePorts() throws IOException {
        SortedMap<NodeId, String> peers = new TreeMap<>();
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 1; i <= NODES; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                peers.put(new NodeId("n" + i), "127.0.0.1:" + socket.getLocalPort());
            }
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
        return peers;
    }

    TestCluster open() throws RaftStartException {
        for (TestNode node : nodes) {
            if (!node.running()) {
                node.open();
            }
        }
        return this;
    }

    List<TestNode> nodes() {
        return nodes;
    }

    List<TestNode> running() {
        return nodes.stream().filter(TestNode::running).toList();
    }

    List<TestNode> followers() throws InterruptedException {
        TestNode leader = leader();
        return running().stream().filter(node -> node != leader).toList();
    }

    /** Waits until all running nodes agree who leads. */
    TestNode leader() throws InterruptedException {
        bell.await(
                () -> agreed().isPresent(),
                () -> "common leader; "
                        + running().stream().map(TestNode::leadership).toList());
        return agreed().orElseGet(() -> running().getFirst());
    }

    private Optional<TestNode> agreed() {
        return running().stream()
                .filter(candidate -> candidate.leadership() instanceof Leadership.Leading(long term)
                        && running().stream().allMatch(node -> node == candidate || follows(node, candidate, term)))
                .findFirst();
    }

    private static boolean follows(TestNode node, TestNode leader, long term) {
        return node.leadership().equals(new Leadership.Following(term, leader.id()));
    }

    /** Commits at the leader; asks again while nobody leads. */
    Outcome commit(Command command) throws Exception {
        while (true) {
            switch (leader().propose(command)) {
                case ProposeOutcome.Committed(var outcome) -> {
                    return outcome;
                }
                case ProposeOutcome.NotLeader _ -> Thread.onSpinWait();
                case ProposeOutcome.Unknown(String reason) -> throw new AssertionError(reason);
            }
        }
    }

    static Command segment(int number) {
        return new Command.CreateSegment(new Segment(
                0,
                "s" + number,
                IpPrefix.parse("10.%d.%d.0/24".formatted(number / 256, number % 256)),
                new TreeMap<>()));
    }

    /** Stops all nodes at once; they can be opened again. */
    void stop() {
        stop(nodes);
    }

    static void stop(List<TestNode> nodes) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            nodes.forEach(node -> threads.execute(node::close));
        }
    }

    @Override
    public void close() {
        stop();
    }
}
