package io.quorumlb.node.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.ListPoolsResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one client can hold of the node. */
class GatewayLimitsTest {
    private static final String HEAD = "POST " + GatewayAt.SERVICE + "ListPools HTTP/1.1\r\nHost: n1\r\n";
    private static final String EMPTY = HEAD + "Content-Length: 0\r\n\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";

    private final GatewayAt gateway = new GatewayAt();

    GatewayLimitsTest() throws IOException {
        // Only the field initializer throws.
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String readUntil(InputStream in, String end) throws IOException {
        var read = new StringBuilder();
        while (read.indexOf(end) < 0) {
            int next = in.read();
            assertTrue(next >= 0, () -> "ended after: " + read);
            read.append((char) next);
        }
        return read.toString();
    }

    private static int count(String in, String what) {
        return in.split(Pattern.quote(what), -1).length - 1;
    }

    @Test
    void oneConnectionCarriesManyCalls() throws IOException {
        try (Socket socket = gateway.connect()) {
            for (int i = 0; i < 100; i++) {
                write(socket, EMPTY);
                assertTrue(readUntil(socket.getInputStream(), "\n}\n").startsWith("HTTP/1.1 200"));
            }
        }
    }

    @Test
    void requestsSentAtOnceAreAnsweredInOrder() throws IOException {
        String wrong = HEAD + JSON + "Content-Length: 1\r\n\r\n{";
        String answers = gateway.raw((EMPTY + wrong + EMPTY).getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(2, count(answers, "HTTP/1.1 200"), answers);
        assertTrue(answers.indexOf("HTTP/1.1 400") > answers.indexOf("HTTP/1.1 200"), answers);
        assertTrue(answers.lastIndexOf("HTTP/1.1 200") > answers.indexOf("HTTP/1.1 400"), answers);
    }

    @Test
    void whoAsksFirstIsToldToGoOn() throws IOException {
        try (Socket socket = gateway.connect()) {
            write(socket, HEAD + JSON + "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertTrue(readUntil(socket.getInputStream(), "\r\n\r\n").startsWith("HTTP/1.1 100"));
            write(socket, "2\r\n{}\r\n0\r\n\r\n");
            assertTrue(readUntil(socket.getInputStream(), "\n}\n").startsWith("HTTP/1.1 200"));
        }
    }

    @Test
    void aBodyThatIsCutOffIsNotCarriedOut() throws IOException {
        String cut = "POST " + GatewayAt.SERVICE + "CreateSegment HTTP/1.1\r\nHost: n1\r\n" + JSON;
        for (String body : List.of(
                "Content-Length: 3\r\n\r\n{}",
                "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
                "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nx",
                "Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n{}")) {
            String answer = gateway.raw((cut + body).getBytes(StandardCharsets.ISO_8859_1));
            assertTrue(answer.startsWith("HTTP/1.1 400"), body + ": " + answer);
            assertTrue(answer.contains("the body did not come whole"), answer);
        }
        assertEquals(List.of(), gateway.segments);
    }

    @Test
    void aBodyOfTheLongestLengthIsTakenAndNoneLonger() throws Exception {
        String longest = " ".repeat(Bodies.BYTES_MAX - 2) + "{}";
        assertEquals(200, gateway.post("ListPools", longest).statusCode());
        HttpResponse<String> longer = gateway.post("ListPools", longest + " ");
        assertEquals(413, longer.statusCode());
        assertTrue(longer.body().contains("longer than 4194304 bytes"), longer.body());
        assertTrue(longer.body().contains("\"limit\": \"4194304\""), longer.body());
    }

    @Test
    void jsonOfTooManyOrTooDeepValuesIsRefused() throws Exception {
        for (String body : List.of(
                "[" + "0,".repeat(StrictJson.TOKENS_MAX) + "0]",
                "[".repeat(StrictJson.DEPTH_MAX + 1) + "]".repeat(StrictJson.DEPTH_MAX + 1),
                "[".repeat(1_000_000))) {
            HttpResponse<String> response = gateway.post("ListPools", body);
            assertEquals(400, response.statusCode(), response.body());
            assertTrue(response.body().contains("maximum"), response.body());
        }
    }

    @Test
    void fewLongBodiesAtATime() throws Exception {
        String half = HEAD + JSON + "Content-Length: 200000\r\n\r\n" + " ".repeat(100_000);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < Bodies.LONG_MAX; i++) {
                Socket socket = gateway.connect();
                slow.add(socket);
                write(socket, half);
            }
            String body = " ".repeat(100_000) + "{}";
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            HttpResponse<String> response = gateway.post("ListPools", body);
            while (response.statusCode() != 429 && System.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                response = gateway.post("ListPools", body);
            }
            assertEquals(429, response.statusCode());
            assertEquals("1", response.headers().firstValue("Retry-After").orElse(""));
            assertEquals(200, gateway.post("ListPools", "{}").statusCode());
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void whoSendsSlowlyIsCutOff() throws IOException {
        for (String part : List.of("POST ", HEAD, HEAD + JSON + "Content-Length: 100\r\n\r\n{")) {
            try (Socket socket = gateway.connect()) {
                write(socket, part);
                assertEquals(-1, socket.getInputStream().read(), part);
            }
        }
    }

    @Test
    void headersHaveALimit() throws Exception {
        String huge = HEAD + "X: " + "x".repeat(100_000) + "\r\n\r\n";
        String answer = gateway.raw(huge.getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 4"), answer);
        String many = HEAD + "X: x\r\n".repeat(1000) + "\r\n";
        answer = gateway.raw(many.getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 4"), answer);
        assertEquals(200, gateway.post("ListPools", "{}").statusCode());
    }

    @Test
    void connectionsAreLimitedAndTheNextIsClosed() throws IOException {
        int limit = Integer.getInteger("jdk.httpserver.maxConnections");
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < limit; i++) {
                Socket socket = gateway.connect();
                open.add(socket);
                write(socket, EMPTY);
                var _ = readUntil(socket.getInputStream(), "\n}\n");
            }
            try (Socket next = gateway.connect()) {
                assertEquals(-1, next.getInputStream().read());
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void aLongAnswerComesWhole() throws Exception {
        var pools = ListPoolsResponse.newBuilder();
        for (int i = 0; i < 10_000; i++) {
            pools.addPoolsBuilder().setName("pool-" + i);
        }
        gateway.pools.set(pools::build);
        HttpResponse<byte[]> response = gateway.postBinary("ListPools", new byte[0]);
        assertEquals(pools.build(), ListPoolsResponse.parseFrom(response.body()));
        HttpResponse<String> json =
                gateway.send(gateway.to(GatewayAt.SERVICE + "ListPools").POST(BodyPublishers.noBody()));
        assertTrue(json.body().contains("\"pool-9999\""));
    }
}
