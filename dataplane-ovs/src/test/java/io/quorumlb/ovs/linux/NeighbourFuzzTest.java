package io.quorumlb.ovs.linux;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.testbed.Captures;
import io.quorumlb.ovs.testbed.Fuzz;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any datagram of the kernel is read, or refused with an error number. */
class NeighbourFuzzTest {
    private static final List<byte[]> REAL = Captures.bytes("netlink.hex");

    static LongStream seeds() {
        return LongStream.range(0, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void datagrams(long seed) {
        Fuzz.Tally tally = assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> Fuzz.run(seed, 75_000, REAL, NeighbourFuzzTest::isRead));
        assertTrue(tally.accepted() > 5_000 && tally.refused() > 5_000, tally::toString);
    }

    private static boolean isRead(byte[] bytes) {
        try {
            return NeighbourMessages.parse(MemorySegment.ofArray(bytes))
                            .neighbours()
                            .size()
                    <= bytes.length;
        } catch (LinuxException _) {
            return false;
        }
    }
}
