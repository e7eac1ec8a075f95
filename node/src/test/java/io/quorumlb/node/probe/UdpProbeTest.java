package io.quorumlb.node.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.MonitorCheck.Silence;
import io.quorumlb.consensus.model.ProbeBytes;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.core.ProbeTarget;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UdpProbeTest {
    private static final int PATIENT_MILLIS = 5000;
    private static final int HASTY_MILLIS = 200;

    private final Prober prober = new Prober();

    /** A member's port that answers each datagram with what the behaviour makes of it; nothing is silence. */
    private static final class Service implements AutoCloseable {
        private final DatagramSocket socket;

        Service(String address, UnaryOperator<String> behaviour) throws IOException {
            socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
            Thread.ofVirtual().start(() -> serve(behaviour));
        }

        private void serve(UnaryOperator<String> behaviour) {
            DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
            try {
                while (true) {
                    packet.setLength(2048);
                    socket.receive(packet);
                    String question = new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
                    byte[] answer = behaviour.apply(question).getBytes(StandardCharsets.US_ASCII);
                    if (answer.length > 0) {
                        socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                    }
                }
            } catch (IOException _) {
                // Closed: the test is over.
            }
        }

        int port() {
            return socket.getLocalPort();
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    private static ProbeBytes bytes(String text) {
        return ProbeBytes.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    private ProbeResult probe(String address, int port, String expect, Silence silence, int timeoutMillis) {
        var monitor = new HealthMonitor(
                new MonitorCheck.Udp(bytes("ping"), bytes(expect), silence),
                OptionalInt.of(port),
                Duration.ofSeconds(10),
                Duration.ofMillis(timeoutMillis),
                2,
                3,
                Duration.ofMillis(200));
        IpAddress host = IpAddress.parse(address);
        return prober.probe(new ProbeTarget(1, 1, new MemberKey(host, 1), monitor, host));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, ''", "127.0.0.1, ping", "127.0.0.1, is ping", "::1, ''", "::1, ping", "::1, you said"})
    void anAnswerWithTheExpectedBytesIsUp(String address, String expect) throws Exception {
        try (var service = new Service(address, question -> "you said is " + question)) {
            ProbeResult result = probe(address, service.port(), expect, Silence.FAILURE, PATIENT_MILLIS);
            assertTrue(result.success(), result.detail());
            assertTrue(result.detail().matches("16 bytes in \\d+ ms"), result.detail());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void anotherAnswerIsNot(String address) throws Exception {
        try (var service = new Service(address, _ -> "error")) {
            assertEquals(
                    new ProbeResult(false, "the answer of 5 bytes is not the expected one"),
                    probe(address, service.port(), "ok", Silence.FAILURE, PATIENT_MILLIS));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void silenceIsAFailureUnlessItIsAskedForAndThenWeak(String address) throws Exception {
        try (var service = new Service(address, _ -> "")) {
            assertEquals(
                    new ProbeResult(false, "no answer within 200 ms"),
                    probe(address, service.port(), "", Silence.FAILURE, HASTY_MILLIS));
            assertEquals(
                    new ProbeResult(true, "weak: no answer within 200 ms counts as up"),
                    probe(address, service.port(), "", Silence.WEAKLY_UP, HASTY_MILLIS));
        }
        try (var service = new Service(address, question -> question)) {
            ProbeResult heard = probe(address, service.port(), "", Silence.WEAKLY_UP, PATIENT_MILLIS);
            assertTrue(heard.success());
            assertFalse(heard.detail().startsWith("weak"), heard.detail());
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, FAILURE", "127.0.0.1, WEAKLY_UP", "::1, FAILURE", "::1, WEAKLY_UP"})
    void aPortWhereNobodyListensFailsAtOnce(String address, Silence silence) throws Exception {
        int port;
        try (var gone = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(address), 0))) {
            port = gone.getLocalPort();
        }
        long start = System.nanoTime();
        assertEquals(new ProbeResult(false, "port unreachable"), probe(address, port, "", silence, PATIENT_MILLIS));
        Duration spent = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(spent.toMillis() < PATIENT_MILLIS / 2, () -> "took " + spent);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 192.0.2.1", "::1, 2001:db8::1"})
    void anAddressThatIsNotOursCannotSend(String address, String foreign) {
        var monitor = new HealthMonitor(
                new MonitorCheck.Udp(bytes("x"), ProbeBytes.NONE, Silence.WEAKLY_UP),
                Duration.ofSeconds(10),
                Duration.ofMillis(HASTY_MILLIS),
                2,
                3);
        var target =
                new ProbeTarget(1, 1, new MemberKey(IpAddress.parse(address), 9), monitor, IpAddress.parse(foreign));
        ProbeResult result = prober.probe(target);
        assertFalse(result.success());
        assertTrue(result.detail().startsWith("cannot send from " + foreign + ": "), result.detail());
    }
}
