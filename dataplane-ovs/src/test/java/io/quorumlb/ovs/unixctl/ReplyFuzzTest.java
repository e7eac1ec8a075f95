package io.quorumlb.ovs.unixctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.json.JsonObjectDecoder;
import io.quorumlb.ovs.testbed.Captures;
import io.quorumlb.ovs.testbed.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Anything may come out of the control socket: the call that waits gets an answer or a reason. */
class ReplyFuzzTest {
    private static final List<byte[]> REAL = Captures.texts("unixctl-3.1.json").stream()
            .map(reply -> new String(reply, StandardCharsets.UTF_8).replaceFirst("\"id\":[0-9]+", "\"id\":1"))
            .map(reply -> reply.getBytes(StandardCharsets.UTF_8))
            .toList();

    static LongStream seeds() {
        return LongStream.range(0, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theCallThatWaitsGetsAnAnswerOrAReason(long seed) {
        Fuzz.Tally tally = assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> Fuzz.run(seed, 15_000, REAL, ReplyFuzzTest::answers));
        assertTrue(tally.accepted() > 500 && tally.refused() > 1_000, tally::toString);
    }

    private static boolean answers(byte[] bytes) throws InterruptedException {
        var handler = new ReplyHandler();
        var answer = handler.expect(1);
        var channel = new EmbeddedChannel(new JsonObjectDecoder(UnixControl.REPLY_BYTES_MAX), handler);
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        channel.finishAndReleaseAll();
        assertTrue(answer.isDone(), "the call waits for ever");
        try {
            return answer.get().id() == 1;
        } catch (ExecutionException failed) {
            assertInstanceOf(IOException.class, failed.getCause());
            return false;
        }
    }

    /** A reply is a number and two texts: nesting is refused before it becomes a tree of objects many times its size. */
    @Test
    void aReplyIsFlat() throws InterruptedException {
        String nested = "[" + "[],".repeat(100_000) + "[]]";
        assertEquals(
                false,
                answers(("{\"id\":1,\"error\":null,\"result\":" + nested + "}").getBytes(StandardCharsets.UTF_8)));
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertEquals(
                false, answers(("{\"id\":1,\"error\":null,\"result\":" + deep + "}").getBytes(StandardCharsets.UTF_8)));
    }
}
