package io.quorumlb.consensus.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartFailureTest {
    private static final NodeId N1 = new NodeId("n1");

    @TempDir
    Path directory;

    private SortedMap<NodeId, String> peers = new TreeMap<>();
    private Set<Thread> before = Set.of();

    @BeforeEach
    void choosePorts() throws IOException {
        peers = TestCluster.freePorts();
        before = keepingTheJvm().collect(Collectors.toSet());
    }

    private static Stream<Thread> keepingTheJvm() {
        return Thread.getAllStackTraces().keySet().stream().filter(Predicate.not(Thread::isDaemon));
    }

    private String refused(Path at) throws InterruptedException {
        RaftSettings settings = TestCluster.settings(N1, peers, at);
        var error = assertThrows(RaftStartException.class, () -> RatisLog.open(settings, _ -> {}));
        List<Thread> left =
                keepingTheJvm().filter(Predicate.not(before::contains)).toList();
        for (Thread thread : left) {
            assertTrue(thread.join(Duration.ofSeconds(10)), () -> thread + " would keep the process alive");
        }
        return String.valueOf(error.getMessage());
    }

    private void writeSomething(RaftTuning tuning, int entries) throws Exception {
        try (var cluster = new TestCluster(directory, tuning).open()) {
            for (int i = 1; i <= entries; i++) {
                cluster.commit(TestCluster.segment(i));
            }
            for (TestNode node : cluster.nodes()) {
                node.awaitState(cluster.leader().state());
            }
        }
        before = keepingTheJvm().collect(Collectors.toSet());
    }

    private List<Path> files(String name) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("n1"))) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .toList();
        }
    }

    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[40] ^= 0x55;
        Files.write(file, bytes);
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        int port = TestCluster.settings(N1, peers, directory).port();
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            String message = refused(directory);
            assertTrue(message.startsWith("Raft cannot listen at 127.0.0.1:" + port), message);
        }
    }

    @Test
    void anAddressOfAnotherMachineIsNamed() throws Exception {
        peers.put(N1, "192.0.2.1:7000");
        String message = refused(directory);
        assertTrue(message.startsWith("Raft cannot listen at 192.0.2.1:7000"), message);
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");
        String message = refused(file.resolve("raft"));
        assertTrue(message.startsWith("Raft directory " + file.resolve("raft") + " cannot be written"), message);
    }

    @Test
    void aDirectoryInUseIsNamed() throws Exception {
        try (var _ = RatisLog.open(TestCluster.settings(N1, peers, directory), _ -> {})) {
            SortedMap<NodeId, String> used = peers;
            peers = TestCluster.freePorts();
            assertFalse(used.equals(peers));
            before = keepingTheJvm().collect(Collectors.toSet());
            String message = refused(directory);
            assertTrue(message.startsWith("Raft log in " + directory + " cannot be opened"), message);
        }
    }

    @Test
    void aDamagedLogIsNamed() throws Exception {
        writeSomething(RaftTuning.PRODUCT, 5);
        List<Path> logs = files("log_.*");
        assertEquals(1, logs.size());
        damage(logs.getFirst());
        String message = refused(directory.resolve("n1"));
        assertTrue(message.startsWith("Raft log in " + directory.resolve("n1") + " cannot be opened"), message);
    }

    @Test
    void aDamagedSnapshotIsNamed() throws Exception {
        writeSomething(TestCluster.SMALL, 50);
        for (Path snapshot : files("snapshot\\.[0-9_]+")) {
            damage(snapshot);
        }
        String message = refused(directory.resolve("n1"));
        assertTrue(message.contains("is damaged: its checksum is not the stored one"), message);
    }
}
