package io.quorumlb.node.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Ipv4Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
    private static final Ipv4Address LOOPBACK = Ipv4Address.parse("127.0.0.1");
    private static final Ipv4Address CONTROL = Ipv4Address.parse("127.0.0.2");

    private final AtomicReference<Optional<String>> notReady = new AtomicReference<>(Optional.of("no switch"));
    private final AtomicReference<Supplier<String>> metrics = new AtomicReference<>(() -> "quorumlb_term 7.0\n");
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpEndpoint endpoint = start(0);

    HttpEndpointTest() throws IOException {}

    private HttpEndpoint start(int port) throws IOException {
        return HttpEndpoint.start(
                new TreeSet<>(List.of(LOOPBACK, CONTROL)),
                port,
                new Pages(() -> metrics.get().get(), notReady::get));
    }

    @BeforeEach
    void listensOnBothAddresses() {
        assertEquals(
                List.of("127.0.0.1", "127.0.0.2"),
                endpoint.listening().stream()
                        .map(address -> address.getAddress().getHostAddress())
                        .toList());
    }

    @AfterEach
    void close() {
        client.close();
        endpoint.close();
    }

    @Test
    void answersMetricsAndHealth() throws Exception {
        HttpResponse<String> answer = get("/metrics");
        assertEquals(200, answer.statusCode());
        assertEquals("quorumlb_term 7.0\n", answer.body());
        assertEquals(
                "text/plain; version=0.0.4; charset=utf-8",
                answer.headers().firstValue("Content-Type").orElseThrow());
        assertEquals("alive\n", get("/healthz").body());
    }

    @Test
    void readinessSaysWhyNot() throws Exception {
        HttpResponse<String> answer = get("/readyz");
        assertEquals(503, answer.statusCode());
        assertEquals("not ready: no switch\n", answer.body());
        notReady.set(Optional.empty());
        assertEquals(200, get("/readyz").statusCode());
        assertEquals("ready\n", get("/readyz").body());
    }

    @Test
    void unknownPathsAndMethodsAreRefused() throws Exception {
        assertEquals(404, get("/").statusCode());
        assertEquals(404, get("/metricsandmore").statusCode());
        HttpResponse<String> post = client.send(
                request("/metrics")
                        .POST(HttpRequest.BodyPublishers.ofString("x".repeat(100_000)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(405, post.statusCode());
        assertEquals("GET, HEAD", post.headers().firstValue("Allow").orElseThrow());
        HttpResponse<String> head =
                client.send(request("/readyz").HEAD().build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(503, head.statusCode());
        assertEquals("", head.body());
    }

    @Test
    void garbageGetsBadRequest() throws Exception {
        for (String garbage : List.of("\u0016\u0003\u0001\r\n\r\n", "GET\r\n\r\n", "GET http://[ HTTP/1.1\r\n\r\n")) {
            assertTrue(raw(garbage).startsWith("HTTP/1.1 400"), garbage);
        }
        assertEquals(200, get("/healthz").statusCode());
    }

    @Test
    void aDefectIsSaidAndNotTheEnd() throws Exception {
        metrics.set(() -> {
            throw new IllegalStateException("secret");
        });
        HttpResponse<String> answer = get("/metrics");
        assertEquals(500, answer.statusCode());
        assertTrue(answer.body().startsWith("this is a defect"), answer.body());
        assertEquals(200, get("/healthz").statusCode());
    }

    @Test
    void tooManyRequestsAtOnceAreRefused() throws Exception {
        var entered = new CountDownLatch(16);
        var leave = new CountDownLatch(1);
        metrics.set(() -> {
            entered.countDown();
            try {
                leave.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return "";
        });
        var waiting = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 16; i++) {
            waiting.add(client.sendAsync(request("/metrics").build(), HttpResponse.BodyHandlers.ofString()));
        }
        entered.await();
        assertEquals(503, get("/healthz").statusCode());
        leave.countDown();
        for (var answer : waiting) {
            assertEquals(200, answer.get().statusCode());
        }
        assertEquals(200, get("/healthz").statusCode());
    }

    @Test
    void whoDoesNotTakeTheAnswerIsCutOff() throws Exception {
        byte[] large = new byte[64 << 20];
        try (var slow = HttpEndpoint.start(
                        new TreeSet<>(List.of(LOOPBACK)),
                        0,
                        _ -> Answer.of(200, "application/octet-stream", large),
                        Duration.ofMillis(200));
                var socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(slow.listening().getFirst());
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            assertEquals('H', socket.getInputStream().read());
            // The other end is gone before all of it was taken: until then every byte sent is acknowledged.
            IOException broken = assertThrows(IOException.class, () -> {
                while (true) {
                    socket.getOutputStream().write(0);
                    LockSupport.parkNanos(1_000_000);
                }
            });
            assertTrue(String.valueOf(broken.getMessage()).matches("(?i).*(reset|broken pipe).*"), broken.getMessage());
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        int port = endpoint.listening().getFirst().getPort();
        var refused = assertThrows(IOException.class, () -> start(port));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .startsWith("HTTP port 127.0.0.1:%d cannot be opened".formatted(port)),
                refused.getMessage());
        endpoint.close();
        endpoint = start(port);
        assertEquals(200, get("/healthz").statusCode());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s"
                .formatted(endpoint.listening().getFirst().getPort(), path)));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private String raw(String bytes) throws IOException {
        InetSocketAddress address = endpoint.listening().getLast();
        try (var socket = new Socket(address.getAddress(), address.getPort())) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
