package io.quorumlb.node.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes of any kind: an answer or a closed connection, never a wait, a defect or memory without bound. */
class GatewayFuzzTest {
    private static final int SEEDS = 10;
    private static final int REQUESTS = 30;
    private static final int BODIES = 300;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Bytes allocated for each byte of a body, and beside. */
    private static final int PER_BYTE = 1024;

    private static final int BESIDE = 512 << 10;

    /** In how many readings in a row something may be made for the first time. */
    private static final int ONCE_MAX = 3;

    private static final List<String> WORDS = List.of(
            "POST ",
            "GET ",
            GatewayAt.SERVICE + "ListPools",
            GatewayAt.SERVICE + "CreateSegment",
            " HTTP/1.1",
            " HTTP/1.0",
            "\r\n",
            "\r\n\r\n",
            "Host: n1\r\n",
            "Content-Type: application/json\r\n",
            "Content-Type: application/x-protobuf\r\n",
            "Content-Length: 2\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Content-Length: -1\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n",
            "Connection: close\r\n",
            "Grpc-Timeout: 50m\r\n",
            "7fffffff\r\n",
            "2\r\n{}\r\n0\r\n\r\n",
            "{}",
            "{\"segment\":",
            "{\"name\":\"p2\"}}",
            "[[[[",
            "\u0000",
            "\u00ff");

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyBytesEndInAnAnswerOrAClosedConnection(long seed) throws Exception {
        var random = new Random(seed);
        try (var gateway = new GatewayAt()) {
            for (int i = 0; i < REQUESTS; i++) {
                byte[] bytes = random.nextInt(4) == 0 ? random(random) : bent(random);
                String answer = gateway.raw(bytes);
                String input = HexFormat.of().formatHex(bytes);
                assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 "), input + ": " + answer);
                assertFalse(answer.contains("HTTP/1.1 500"), input + ": " + answer);
                assertFalse(answer.contains("\tat "), input + ": " + answer);
            }
            assertEquals(200, gateway.post("ListPools", "{}").statusCode());
        }
    }

    private static byte[] random(Random random) {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A request of pieces in an order that is nearly right, some bytes turned. */
    private static byte[] bent(Random random) {
        var text = new StringBuilder();
        int from = 0;
        while (from < WORDS.size()) {
            text.append(WORDS.get(random.nextInt(5) == 0 ? random.nextInt(WORDS.size()) : from));
            from += 1 + random.nextInt(4);
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        for (int turned = random.nextInt(3); turned > 0; turned--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyBodyIsReadOrRefusedWithinBounds(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < BODIES; i++) {
            BodyFormat format = random.nextBoolean() ? BodyFormat.JSON : BodyFormat.PROTOBUF;
            byte[] body =
                    random.nextInt(4) == 0 ? random(random) : value(random, 0).getBytes(StandardCharsets.UTF_8);
            readWithinBounds(format, body);
        }
    }

    @Test
    void whatGrowsMostWhenItIsReadIsBounded() {
        int long64k = 64 << 10;
        for (String body : List.of(
                "[" + "0,".repeat(long64k / 2) + "0]",
                "{\"a\":".repeat(long64k / 5),
                "\"" + "\\u0000".repeat(long64k / 6) + "\"",
                "9".repeat(long64k),
                "1e" + "9".repeat(long64k),
                "{\"pool\":{\"slots\":1e999999999}}",
                "{\"pool\":{\"slots\":1" + "0".repeat(900) + "}}")) {
            readWithinBounds(BodyFormat.JSON, body.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** What is made once only, such as a class, is not of the body: what is read again must not take it again. */
    private static void readWithinBounds(BodyFormat format, byte[] body) {
        long most = BESIDE + (long) PER_BYTE * body.length;
        long allocated = allocated(format, body);
        for (int again = 0; allocated > most && again < ONCE_MAX; again++) {
            allocated = allocated(format, body);
        }
        long least = allocated;
        assertTrue(
                least <= most,
                () -> "%d bytes for %s".formatted(least, HexFormat.of().formatHex(body)));
    }

    private static long allocated(BodyFormat format, byte[] body) {
        Message.Builder into =
                body.length % 2 == 0 ? CreatePoolRequest.newBuilder() : CreateSegmentRequest.newBuilder();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            format.read(body, into);
        } catch (Problem problem) {
            assertEquals(400, problem.httpStatus());
            assertFalse(problem.status().getMessage().contains("Exception"), problem.getMessage());
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static String value(Random random, int depth) {
        String field = List.of("pool", "name", "monitor", "slots", "segment", "prefix", "gateways", "rise", "\\u0000")
                .get(random.nextInt(9));
        return switch (random.nextInt(depth > 6 ? 4 : 8)) {
            case 0 -> Long.toString(random.nextLong());
            case 1 ->
                List.of("true", "null", "-0", "1e400", "NaN", "0x1", "'x'").get(random.nextInt(7));
            case 2 -> "\"" + field + "\"";
            case 3 -> "\"\\ud800\"";
            case 4 -> "[" + value(random, depth + 1) + "," + value(random, depth + 1) + "]";
            default -> "{\"%s\": %s}".formatted(field, value(random, depth + 1));
        };
    }
}
