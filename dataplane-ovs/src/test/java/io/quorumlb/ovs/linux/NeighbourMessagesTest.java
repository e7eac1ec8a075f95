package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeighbourMessagesTest {
    private static final long MAC = 0x0200_0a14_0002L;

    private static KernelNeighbour entry(IpAddress address) {
        return new KernelNeighbour(7, address, MAC, NeighbourState.REACHABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.20.0.2", "fd00:20::2"})
    void whatIsSentIsReadAsItWasMeant(String address) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            KernelNeighbour entry = entry(IpAddress.parse(address));
            NeighbourMessages read = NeighbourMessages.parse(Netlink.replaceRequest(arena, entry));
            assertEquals(List.of(entry), read.neighbours());
            assertTrue(read.whole());
        }
    }

    @Test
    void anErrorIsNamedAndItsAbsenceIsTheAcknowledgement() throws LinuxException {
        MemorySegment answer = message(Netlink.NLMSG_ERROR, 20);
        assertTrue(NeighbourMessages.parse(answer).last());
        answer.set(JAVA_INT_UNALIGNED, Netlink.HEADER_BYTES, -1);
        var failure = assertThrows(LinuxException.class, () -> NeighbourMessages.parse(answer));
        assertEquals("netlink request for neighbours failed: errno 1 (EPERM, not permitted)", failure.getMessage());
    }

    @Test
    void aLengthThatDoesNotFitIsRefused() {
        for (int length : new int[] {0, 15, 21, Integer.MAX_VALUE, -1}) {
            MemorySegment answer = message(Netlink.RTM_NEWNEIGH, 20);
            answer.set(JAVA_INT_UNALIGNED, 0, length);
            var failure = assertThrows(LinuxException.class, () -> NeighbourMessages.parse(answer));
            assertEquals(Errno.EPROTO, failure.errno());
        }
    }

    @Test
    void anIpv4MappedAddressIsNobodys() throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = Netlink.replaceRequest(arena, entry(new Ipv6Address(0, 1)));
            int address = Netlink.HEADER_BYTES + Netlink.NDMSG_BYTES + Netlink.ATTRIBUTE_HEADER_BYTES;
            request.set(JAVA_SHORT_UNALIGNED, address + 10L, (short) -1);
            assertEquals(List.of(), NeighbourMessages.parse(request).neighbours());
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /** Bytes of any kind, and good messages with a few bytes changed or cut off. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void garbageIsReadOrRefusedAndNeverAnythingElse(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = random.nextBoolean() ? noise(random) : bent(random);
            try {
                NeighbourMessages read = NeighbourMessages.parse(MemorySegment.ofArray(bytes));
                assertTrue(read.neighbours().size() <= bytes.length / Netlink.HEADER_BYTES);
            } catch (LinuxException refused) {
                assertTrue(refused.getMessage().contains("errno"));
            }
        }
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] bent(Random random) {
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = Netlink.replaceRequest(arena, entry(new Ipv4Address(random.nextInt())))
                    .toArray(JAVA_BYTE);
            for (int change = random.nextInt(4); change > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
        }
    }

    private static MemorySegment message(int type, int length) {
        MemorySegment message = Arena.ofAuto().allocate(length, 8);
        message.set(JAVA_INT_UNALIGNED, 0, length);
        message.set(JAVA_SHORT_UNALIGNED, 4, (short) type);
        return message;
    }
}
