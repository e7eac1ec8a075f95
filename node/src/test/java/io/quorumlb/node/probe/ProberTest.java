package io.quorumlb.node.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.core.ProbeTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProberTest {
    private static final Ipv4Address SERVER = Ipv4Address.parse("127.0.0.1");
    private static final Ipv4Address SOURCE = Ipv4Address.parse("127.0.0.2");
    private static final int PATIENT_MILLIS = 5000;
    private static final int HASTY_MILLIS = 300;
    /** Scheduling on a busy machine; far below the several seconds that the faulty servers would take. */
    private static final Duration SLACK = Duration.ofMillis(1500);

    private final Prober prober = new Prober();

    @ParameterizedTest
    @CsvSource({"200,true", "204,true", "302,true", "399,true", "199,false", "404,false", "503,false"})
    void onlySuccessAndRedirectionAreUp(int code, boolean up) throws IOException {
        try (LoopbackServer server = LoopbackServer.answering("HTTP/1.1 %d Any Reason\r\n\r\n".formatted(code))) {
            ProbeResult result = prober.probe(http(server.port(), PATIENT_MILLIS));
            assertEquals(up, result.success(), result.detail());
            assertTrue(result.detail().matches(code + " in \\d+ ms"), result.detail());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0 200 OK\r\n", "HTTP/1.1 200\r\n", "HTTP/1.1 200 \r\n", "HTTP/1.1 200 OK\n"})
    void lenientWithOldServers(String answer) throws IOException {
        try (LoopbackServer server = LoopbackServer.answering(answer)) {
            assertTrue(prober.probe(http(server.port(), PATIENT_MILLIS)).success());
        }
    }

    @Test
    void asksForThePathFromTheBoundSource() throws Exception {
        try (LoopbackServer server = LoopbackServer.answering("HTTP/1.1 200 OK\r\n\r\n")) {
            assertTrue(prober.probe(http(server.port(), PATIENT_MILLIS)).success());
            LoopbackServer.Seen seen = server.seen();
            assertEquals("127.0.0.2", seen.source());
            assertEquals("GET /healthz HTTP/1.1", seen.lines().getFirst());
            assertTrue(seen.lines().contains("Host: 127.0.0.1:" + server.port()));
            assertTrue(seen.lines().contains("Connection: close"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void theMonitorsOwnPortIsAskedOverEitherVersionOfIp(String address) throws Exception {
        try (LoopbackServer server = LoopbackServer.answering("HTTP/1.1 200 OK\r\n\r\n")) {
            IpAddress host = IpAddress.parse(address);
            for (MonitorCheck check : List.of(new MonitorCheck.Tcp(), new MonitorCheck.Http("/up"))) {
                var monitor = new HealthMonitor(
                        check,
                        OptionalInt.of(server.port()),
                        Duration.ofSeconds(10),
                        Duration.ofMillis(PATIENT_MILLIS),
                        2,
                        3,
                        Duration.ofMillis(200));
                ProbeResult result = prober.probe(new ProbeTarget(1, 1, new MemberKey(host, 1), monitor, host));
                assertTrue(result.success(), result.detail());
            }
            LoopbackServer.Seen seen = server.seen();
            assertEquals("GET /up HTTP/1.1", seen.lines().getFirst());
            assertTrue(seen.lines().contains("Host: " + new MemberKey(host, server.port())), seen::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2.0 200 OK\r\n", "HTTP/1.1 9999 x\r\n", "\r\n", "\u0000\u0001"})
    void garbageIsNotHttp(String answer) throws IOException {
        try (LoopbackServer server = LoopbackServer.answering(answer)) {
            assertEquals(new ProbeResult(false, "not HTTP"), prober.probe(http(server.port(), PATIENT_MILLIS)));
        }
    }

    @Test
    void aLineWithoutEndIsNotHttp() throws IOException {
        try (LoopbackServer server = LoopbackServer.answering("HTTP/1.1 200 " + "x".repeat(100_000))) {
            assertEquals(new ProbeResult(false, "not HTTP"), prober.probe(http(server.port(), PATIENT_MILLIS)));
        }
    }

    @Test
    void hugeHeadersAreNotRead() throws IOException {
        String headers = "X-Filler: y\r\n".repeat(1_000_000);
        try (LoopbackServer server = LoopbackServer.answering("HTTP/1.1 200 OK\r\n" + headers)) {
            assertTrue(prober.probe(http(server.port(), PATIENT_MILLIS)).success());
        }
    }

    @Test
    void aServerThatClosesHasNotAnswered() throws IOException {
        try (LoopbackServer server = LoopbackServer.answering("")) {
            ProbeResult result = prober.probe(http(server.port(), PATIENT_MILLIS));
            assertEquals(new ProbeResult(false, "closed without an answer"), result);
        }
    }

    @Test
    void aFrozenProcessCompletesTheHandshakeButDoesNotAnswer() throws IOException {
        try (ServerSocket frozen = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"))) {
            endsInTime(http(frozen.getLocalPort(), HASTY_MILLIS), "no answer within 300 ms");
            ProbeResult tcp = prober.probe(tcp(frozen.getLocalPort(), HASTY_MILLIS));
            assertTrue(tcp.success(), "a TCP probe cannot see it: " + tcp.detail());
        }
    }

    @Test
    void aFullBacklogGivesNoConnection() throws IOException {
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            for (int filled = 0; filled < 2; filled++) {
                Socket socket = new Socket();
                waiting.add(socket);
                socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), full.getLocalPort()));
            }
            endsInTime(tcp(full.getLocalPort(), HASTY_MILLIS), "no connection within 300 ms");
            endsInTime(http(full.getLocalPort(), HASTY_MILLIS), "no connection within 300 ms");
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    @Test
    void aSilentServerEndsAtTheDeadline() throws IOException {
        try (LoopbackServer server = LoopbackServer.silent()) {
            endsInTime(http(server.port(), HASTY_MILLIS), "no answer within 300 ms");
        }
    }

    @Test
    void aTricklingServerEndsAtTheDeadline() throws IOException {
        try (LoopbackServer server = LoopbackServer.trickling("HTTP/1.1 200 " + "x".repeat(60), 100)) {
            endsInTime(http(server.port(), HASTY_MILLIS), "no answer within 300 ms");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClosedPortRefuses(boolean http) throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            port = closed.getLocalPort();
        }
        ProbeTarget target = http ? http(port, PATIENT_MILLIS) : tcp(port, PATIENT_MILLIS);
        assertEquals(new ProbeResult(false, "connection refused"), prober.probe(target));
    }

    @Test
    void anAddressThatIsNotOursCannotSend() {
        Ipv4Address foreign = Ipv4Address.parse("192.0.2.1");
        ProbeTarget target = new ProbeTarget(1, 1, new MemberKey(SERVER, 80), monitor(PATIENT_MILLIS), foreign);
        ProbeResult result = prober.probe(target);
        assertFalse(result.success());
        assertTrue(result.detail().startsWith("cannot send from 192.0.2.1: "), result.detail());
    }

    private void endsInTime(ProbeTarget target, String detail) {
        long start = System.nanoTime();
        ProbeResult result = prober.probe(target);
        Duration spent = Duration.ofNanos(System.nanoTime() - start);
        assertEquals(new ProbeResult(false, detail), result);
        Duration timeout = target.monitor().timeout();
        assertTrue(spent.compareTo(timeout.minusMillis(1)) >= 0, "gave up after " + spent);
        assertTrue(spent.compareTo(timeout.plus(SLACK)) < 0, "took " + spent);
    }

    private static ProbeTarget http(int port, int timeoutMillis) {
        return new ProbeTarget(1, 1, new MemberKey(SERVER, port), monitor(timeoutMillis), SOURCE);
    }

    private static HealthMonitor monitor(int timeoutMillis) {
        return new HealthMonitor(
                new MonitorCheck.Http("/healthz"), Duration.ofSeconds(10), Duration.ofMillis(timeoutMillis), 2, 3);
    }

    private static ProbeTarget tcp(int port, int timeoutMillis) {
        HealthMonitor monitor = new HealthMonitor(
                new MonitorCheck.Tcp(), Duration.ofSeconds(10), Duration.ofMillis(timeoutMillis), 2, 3);
        return new ProbeTarget(1, 1, new MemberKey(SERVER, port), monitor, SOURCE);
    }
}
