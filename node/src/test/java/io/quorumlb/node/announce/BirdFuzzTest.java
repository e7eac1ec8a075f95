package io.quorumlb.node.announce;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.testbed.Fuzz;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever lines BIRD's socket gives, they are a reply or refused as not BIRD's. */
class BirdFuzzTest {
    /** Replies of BIRD 2. */
    private static final List<byte[]> REAL = Stream.of(
                    "0001 BIRD 2.0.12 ready.\n",
                    String.join(
                            "\n",
                            "2002-Name       Proto      Table      State  Since         Info",
                            "1002-vips       Static     master4    up     10:01:02.123  ",
                            "0000 ",
                            ""),
                    "1009-10.99.0.10/32 blackhole\n 10.99.0.11/32 blackhole\n0000 \n",
                    "8003 No protocols match\n",
                    "9001 syntax error, unexpected CF_SYM_UNDEFINED\n",
                    "0002-Reading configuration from /etc/bird.conf\n0003 Reconfigured\n")
            .map(reply -> reply.getBytes(StandardCharsets.UTF_8))
            .toList();

    static LongStream seeds() {
        return LongStream.range(0, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void replies(long seed) {
        Fuzz.Tally tally = assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> Fuzz.run(seed, 50_000, REAL, BirdFuzzTest::isReply));
        assertTrue(tally.accepted() > 5_000 && tally.refused() > 5_000, tally::toString);
    }

    private static boolean isReply(byte[] bytes) {
        var assembler = new BirdReply.Assembler();
        try {
            for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
                if (assembler.add(line)) {
                    BirdReply reply = assembler.reply();
                    return !reply.summary().isEmpty() && reply.texts(1002).size() <= bytes.length;
                }
            }
            return false;
        } catch (BirdException _) {
            return false;
        }
    }
}
