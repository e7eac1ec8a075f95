package io.quorumlb.node.announce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What answers on the socket is not always BIRD, and BIRD does not always answer. */
class BirdSessionTest {
    private static final Duration LIMIT = Duration.ofMillis(300);
    private static final String GREETING = "0001 BIRD 2.0.12 ready.\n";

    @TempDir
    private Path directory;

    @Test
    void linesOfOneReplyStayTogether() throws Exception {
        String reply = "1009-10.99.0.10/32\tblackhole\n+2026-01-01 log line\n 10.99.0.11/32\tblackhole\n0000 \n";
        try (var server = new Speaker(GREETING + reply);
                var session = BirdSession.open(server.path, LIMIT)) {
            assertEquals(
                    List.of("10.99.0.10/32\tblackhole", "10.99.0.11/32\tblackhole"),
                    session.ask("show static vips").texts(1009));
        }
    }

    @Test
    void errorsAreNamed() throws Exception {
        try (var server = new Speaker(GREETING + "0002-Reading configuration\n8002 a.conf:1:1 syntax error\n");
                var session = BirdSession.open(server.path, LIMIT)) {
            var refused = assertThrows(BirdException.class, () -> session.require("configure"));
            assertEquals("BIRD refuses 'configure': 8002 a.conf:1:1 syntax error", refused.getMessage());
        }
    }

    @Test
    void aSilentSocketEndsAtTheDeadline() throws Exception {
        try (var server = new Speaker("")) {
            assertProblem(server.path, "does not answer within 300 ms");
        }
    }

    @Test
    void silenceAfterTheGreetingEndsAtTheDeadline() throws Exception {
        try (var server = new Speaker(GREETING + "1002-vips  Static");
                var session = BirdSession.open(server.path, LIMIT)) {
            var silent = assertThrows(BirdException.class, () -> session.ask("show protocols vips"));
            assertTrue(silent.getMessage().contains("does not answer"), silent.getMessage());
        }
    }

    @Test
    void garbageIsNotTakenForAnAnswer() throws Exception {
        try (var server = new Speaker("HTTP/1.1 400 Bad\u0007 Request\r\n\r\n")) {
            assertProblem(server.path, "not BIRD: it says 'HTTP/1.1 400 Bad? Request?'");
        }
        try (var server = new Speaker("00x1 no\n")) {
            assertProblem(server.path, "not BIRD");
        }
        try (var server = new Speaker("0013 Status\n")) {
            assertProblem(server.path, "greets with '0013 Status'");
        }
    }

    @Test
    void anEndlessReplyIsCutOff() throws Exception {
        try (var server = new Speaker("1".repeat(2 << 20))) {
            assertProblem(server.path, Duration.ofSeconds(30), "longer than 1048576 bytes");
        }
    }

    @Test
    void aClosedConnectionIsNotAnAnswer() throws Exception {
        try (var server = new Speaker(GREETING);
                var session = BirdSession.open(server.path, LIMIT)) {
            server.hangUp();
            assertThrows(BirdException.class, () -> session.ask("show protocols vips"));
        }
    }

    @Test
    void aFrozenProcessWithAFullQueueBlocksNobody() throws Exception {
        Path path = directory.resolve("frozen.ctl");
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path), 1);
            for (int i = 0; i < 5; i++) {
                var refused = assertThrows(BirdException.class, () -> BirdSession.open(path, Duration.ofMillis(50)));
                assertTrue(refused.getMessage().contains(path.toString()), refused.getMessage());
            }
        }
    }

    @Test
    void theAnnouncerTurnsAllOfThisIntoAProblem() throws Exception {
        var vips = new TreeSet<>(List.of(IpAddress.parse("10.99.0.10")));
        try (var server = new Speaker("hello\n")) {
            var includes = new TreeMap<>(Map.of(IpFamily.IPV4, directory.resolve("vips.conf")));
            var announcer = new BirdAnnouncer(server.path, includes, directory.resolve("lease"));
            AnnounceResult result = announcer.announce(vips);
            assertFalse(result.announced());
            assertTrue(result.problem().contains("not BIRD"), result.problem());
            assertTrue(announcer.withdraw().problem().contains("could not be withdrawn"));
        }
    }

    private static void assertProblem(Path path, String text) {
        assertProblem(path, LIMIT, text);
    }

    private static void assertProblem(Path path, Duration limit, String text) {
        var problem = assertThrows(
                BirdException.class, () -> BirdSession.open(path, limit).close());
        assertTrue(problem.getMessage().contains(text), problem.getMessage());
    }

    /** A server that says one thing to everybody who connects, then listens. */
    private final class Speaker implements AutoCloseable {
        final Path path = directory.resolve("speaker-%d.ctl".formatted(System.nanoTime()));
        private final ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        private final List<SocketChannel> clients = new ArrayList<>();

        Speaker(String words) throws IOException {
            server.bind(UnixDomainSocketAddress.of(path));
            Thread.ofVirtual().start(() -> speak(words));
        }

        private void speak(String words) {
            try {
                while (true) {
                    SocketChannel client = server.accept();
                    synchronized (clients) {
                        clients.add(client);
                    }
                    ByteBuffer bytes = ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8));
                    while (bytes.hasRemaining()) {
                        client.write(bytes);
                    }
                }
            } catch (IOException _) {
                // closed at the end of the test
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            hangUp();
        }

        void hangUp() throws IOException {
            synchronized (clients) {
                for (SocketChannel client : clients) {
                    client.close();
                }
            }
        }
    }
}
