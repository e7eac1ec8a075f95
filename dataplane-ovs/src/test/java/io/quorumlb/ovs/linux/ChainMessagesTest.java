package io.quorumlb.ovs.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.testbed.Fuzz;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChainMessagesTest {
    private static final int NESTED = 0x8000;
    private static final int ACCEPT = 1;
    private static final int DROP = 0;
    private static final int INGRESS = 0;
    private static final int EGRESS = 1;

    private static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    private static byte[] attribute(int type, byte[] value) {
        return ByteBuffer.allocate((4 + value.length + 3) & ~3)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) (4 + value.length))
                .putShort((short) type)
                .put(value)
                .array();
    }

    private static byte[] number(int type, int value) {
        return attribute(type, ByteBuffer.allocate(4).putInt(value).array());
    }

    private static byte[] text(int type, String value) {
        return attribute(type, (value + "\0").getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] message(int type, byte[] body) {
        return ByteBuffer.allocate(20 + body.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(20 + body.length)
                .putShort((short) type)
                .putShort((short) 2)
                .putLong(1)
                .put((byte) 5)
                .put(new byte[3])
                .put(body)
                .array();
    }

    private static byte[] chain(int hook, int policy, byte[]... devices) {
        return message(
                Netlink.NFT_NEWCHAIN,
                join(
                        text(1, "guard"),
                        text(3, "ingress"),
                        attribute(4 | NESTED, join(number(1, hook), number(2, -500), join(devices))),
                        number(5, policy)));
    }

    private static ChainMessages parse(byte[] datagram) throws LinuxException {
        return ChainMessages.parse(MemorySegment.ofArray(datagram));
    }

    @Test
    void interfacesOfChainsThatDropAtIngressAreGuarded() throws LinuxException {
        byte[] several = attribute(4 | NESTED, join(text(1, "x-uplink"), text(1, "x-p2")));
        ChainMessages read = parse(join(
                chain(INGRESS, DROP, several),
                chain(INGRESS, DROP, text(3, "x-p3")),
                chain(INGRESS, ACCEPT, text(3, "x-lenient")),
                chain(EGRESS, DROP, text(3, "x-egress")),
                message(Netlink.NFT_NEWCHAIN, text(3, "not a base chain"))));
        assertEquals(new TreeSet<>(List.of("x-uplink", "x-p2", "x-p3")), read.guarded());
        assertEquals(false, read.last());
    }

    @Test
    void theEndAndAnErrorAreTold() throws LinuxException {
        assertTrue(parse(message(Netlink.NLMSG_DONE, new byte[0])).last());
        byte[] refused = message(Netlink.NLMSG_ERROR, new byte[0]);
        ByteBuffer.wrap(refused).order(ByteOrder.LITTLE_ENDIAN).putInt(16, -1);
        var failure = assertThrows(LinuxException.class, () -> parse(refused));
        assertEquals("netlink request for chains failed: errno 1 (EPERM, not permitted)", failure.getMessage());
    }

    @Test
    void aDumpThatWasDisturbedIsNotWhole() throws LinuxException {
        byte[] disturbed = chain(INGRESS, DROP, text(3, "x-p2"));
        ByteBuffer.wrap(disturbed).order(ByteOrder.LITTLE_ENDIAN).putShort(6, (short) 0x12);
        assertEquals(false, parse(disturbed).whole());
    }

    static LongStream seeds() {
        return LongStream.range(0, 2);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyDatagramIsReadOrRefused(long seed) {
        List<byte[]> real = List.of(
                chain(INGRESS, DROP, text(3, "x-p3")),
                chain(INGRESS, DROP, attribute(4 | NESTED, join(text(1, "x-uplink"), text(1, "x-p2")))));
        Fuzz.Tally tally = assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> Fuzz.run(seed, 20_000, real, ChainMessagesTest::isRead));
        assertTrue(tally.accepted() > 1_000 && tally.refused() > 1_000, tally::toString);
    }

    private static boolean isRead(byte[] bytes) {
        try {
            return parse(bytes).guarded().size() <= bytes.length;
        } catch (LinuxException _) {
            return false;
        }
    }
}
