package io.quorumlb.ovs.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.testbed.Captures;
import io.quorumlb.ovs.testbed.Fuzz;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any frame may come in: it is one of ours or none, and what is read says the same when it is written again. */
class FrameFuzzTest {
    private static final MacAddress ONE = MacAddress.parse("02:00:00:00:0a:01");
    private static final MacAddress OTHER = MacAddress.parse("02:00:00:00:0a:02");

    static LongStream seeds() {
        return LongStream.range(0, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void arp(long seed) {
        Ipv4Address sender = Ipv4Address.parse("10.20.0.1");
        Ipv4Address target = Ipv4Address.parse("10.20.0.2");
        List<byte[]> real = Stream.concat(
                        Captures.bytes("arp.hex").stream(),
                        Stream.of(
                                ArpFrame.request(ONE, sender, target).bytes(),
                                ArpFrame.reply(ONE, sender, OTHER, target).bytes()))
                .toList();
        Fuzz.Tally tally = assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> Fuzz.run(seed, 100_000, real, FrameFuzzTest::isArp));
        assertTrue(tally.accepted() > 5_000 && tally.refused() > 5_000, tally::toString);
    }

    private static boolean isArp(byte[] bytes) {
        Optional<ArpFrame> read = ArpFrame.parse(bytes);
        read.ifPresent(frame -> assertEquals(read, ArpFrame.parse(frame.bytes())));
        return read.isPresent();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neighbourDiscovery(long seed) {
        Ipv6Address sender = Ipv6Address.parse("fd00:20::1");
        Ipv6Address target = Ipv6Address.parse("fd00:20::2");
        List<byte[]> real = Stream.concat(
                        Captures.bytes("neighbour-discovery.hex").stream(),
                        Stream.of(
                                NeighbourFrame.solicitation(ONE, sender, target).bytes(),
                                NeighbourFrame.reply(ONE, sender, OTHER, target).bytes()))
                .toList();
        Fuzz.Tally tally = assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> Fuzz.run(
                        seed,
                        100_000,
                        real,
                        bytes -> isNeighbourDiscovery(bytes) || isNeighbourDiscovery(mended(bytes))));
        assertTrue(tally.accepted() > 5_000 && tally.refused() > 5_000, tally::toString);
    }

    private static boolean isNeighbourDiscovery(byte[] bytes) {
        Optional<NeighbourFrame> read = NeighbourFrame.parse(bytes);
        read.ifPresent(frame -> assertEquals(read, NeighbourFrame.parse(frame.bytes())));
        return read.isPresent();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void rejection(long seed) {
        List<byte[]> real = RejectionTest.answered();
        Fuzz.Tally tally = assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> Fuzz.run(seed, 100_000, real, FrameFuzzTest::isRejected));
        assertTrue(tally.accepted() > 5_000 && tally.refused() > 5_000, tally::toString);
    }

    /** No answer is answered: two that refuse each other's packets would never end. */
    private static boolean isRejected(byte[] bytes) {
        Optional<byte[]> answer = Rejection.of(bytes);
        answer.ifPresent(frame -> {
            assertTrue(frame.length <= 14 + 1280);
            assertTrue(Rejection.of(frame).isEmpty());
        });
        return answer.isPresent();
    }

    /** Returns the frame with the checksum that it should have, so that what is behind the checksum is met. */
    private static byte[] mended(byte[] bytes) {
        byte[] mended = bytes.clone();
        int payload = mended.length < 62 ? 0 : ((mended[18] & 0xff) << 8) | (mended[19] & 0xff);
        if (payload < 24 || mended.length < 54 + payload) {
            return mended;
        }
        mended[56] = 0;
        mended[57] = 0;
        long sum = payload + 58L;
        for (int at = 22; at < 54 + payload; at++) {
            sum += at % 2 == 0 ? (mended[at] & 0xffL) << 8 : mended[at] & 0xffL;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        mended[56] = (byte) (~sum >>> 8);
        mended[57] = (byte) ~sum;
        return mended;
    }
}
