package io.quorumlb.node.wire;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.quorumlb.ovs.testbed.Fuzz;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.GossipRequest;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Anything a peer may send is a message, or refused as unreadable or with the name of a field. */
class GossipFuzzTest {
    private static final List<byte[]> REAL = LongStream.range(0, 12)
            .mapToObj(seed -> GossipParts.of(Messages.any(new Random(seed))))
            .filter(parts -> !parts.isEmpty())
            .map(parts -> parts.getFirst()
                    .toWire(Caller.newBuilder().setClusterId("c").setNode("n1").build(), Duration.ZERO)
                    .toByteArray())
            .filter(bytes -> bytes.length < 4_000)
            .toList();

    static LongStream seeds() {
        return LongStream.range(0, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void messagesOfPeers(long seed) {
        Fuzz.Tally tally = assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> Fuzz.run(seed, 20_000, REAL, GossipFuzzTest::isRead));
        assertTrue(tally.accepted() > 500 && tally.refused() > 2_000, tally::toString);
    }

    private static boolean isRead(byte[] bytes) {
        try {
            return GossipCodec.fromWire(GossipRequest.parseFrom(bytes)).beats().size() <= bytes.length;
        } catch (InvalidProtocolBufferException | IllegalArgumentException _) {
            return false;
        }
    }
}
