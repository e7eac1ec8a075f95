package io.quorumlb.ovs.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is answered to whom, by the bytes. Checksums in what is expected were worked out by a reckoning of its own. */
class RejectionTest {
    private static final String MACS = "020000000010" + "0200000000aa";
    private static final String BACK = "0200000000aa" + "020000000010";
    private static final String CLIENT = "0a320001";
    private static final String VIP = "0a630010";
    private static final String CLIENT6 = "fd000050000000000000000000000001";
    private static final String VIP6 = "fd000099000000000000000000000010";
    private static final String PORTS = "c3500050";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(byte[] bytes, int from, int to) {
        return HexFormat.of().formatHex(bytes, from, to);
    }

    /** Adds up whole numbers, and takes the carries back in at the end only. */
    private static int sum(String hex) {
        String even = hex.length() % 4 == 0 ? hex : hex + "00";
        int sum = 0;
        for (int at = 0; at < even.length(); at += 4) {
            sum += Integer.parseInt(even.substring(at, at + 4), 16);
        }
        return sum % 0xffff;
    }

    /** Returns the IPv4 packet in a frame, its header's checksum filled in. */
    private static String ipv4(int fragment, int protocol, String from, String to, String payload) {
        String header = "4500%04x0001%04x40%02x%s%s%s"
                .formatted(20 + payload.length() / 2, fragment, protocol, "0000", from, to);
        String checksum = "%04x".formatted(0xffff - sum(header));
        return MACS + "0800" + header.substring(0, 20) + checksum + header.substring(24) + payload;
    }

    private static String ipv4(int protocol, String payload) {
        return ipv4(0, protocol, CLIENT, VIP, payload);
    }

    private static String ipv6(int nextHeader, String from, String to, String payload) {
        return MACS + "86dd" + "60000000%04x%02x40".formatted(payload.length() / 2, nextHeader) + from + to + payload;
    }

    private static String ipv6(int nextHeader, String payload) {
        return ipv6(nextHeader, CLIENT6, VIP6, payload);
    }

    private static String tcp(String flags, String options, String payload) {
        int words = 5 + options.length() / 8;
        return PORTS + "00000064" + "000000c8" + "%x0".formatted(words) + flags + "0400" + "0000" + "0000" + options
                + payload;
    }

    private static final String SYN = tcp("02", "", "");
    private static final String DATAGRAM = PORTS + "000c0000" + "61626364";

    /** Returns frames that are answered, one of each way. */
    static List<byte[]> answered() {
        return Stream.of(
                        ipv4(6, SYN),
                        ipv4(6, tcp("10", "02040500", "6162")),
                        ipv4(17, DATAGRAM),
                        ipv4(132, "00".repeat(700)),
                        ipv6(6, SYN),
                        ipv6(60, "0600000000000000" + SYN),
                        ipv6(17, DATAGRAM),
                        ipv6(132, "00".repeat(1400)))
                .map(RejectionTest::bytes)
                .toList();
    }

    private static byte[] answer(String frame) {
        return Rejection.of(bytes(frame)).orElseThrow();
    }

    private static void silent(String frame) {
        assertTrue(Rejection.of(bytes(frame)).isEmpty(), frame);
    }

    /** A header or a message together with its checksum adds up to all ones. */
    private static void assertChecksums(byte[] frame) {
        boolean four = frame[12] == 8;
        int at = four ? 34 : 54;
        String addresses = four ? hex(frame, 26, 34) : hex(frame, 22, 54);
        int protocol = frame[four ? 23 : 20];
        if (four) {
            assertEquals(0, sum(hex(frame, 14, 34)), "of the header");
        }
        String pseudo = protocol == 1 ? "" : addresses + "%04x%04x".formatted(frame.length - at, protocol);
        assertEquals(0, sum(pseudo + hex(frame, at, frame.length)), "of the message");
    }

    @Test
    void everyAnswerIsForTheOneWhoAskedAndHasItsChecksums() {
        for (byte[] frame : answered()) {
            byte[] answer = Rejection.of(frame).orElseThrow();
            assertEquals(BACK, hex(answer, 0, 12));
            assertEquals(hex(frame, 12, 14), hex(answer, 12, 14));
            boolean four = frame[12] == 8;
            assertEquals(four ? VIP + CLIENT : VIP6 + CLIENT6, hex(answer, four ? 26 : 22, four ? 34 : 54));
            assertEquals(64, answer[four ? 22 : 21]);
            assertChecksums(answer);
        }
    }

    @Test
    void theFirstSegmentIsResetByAnAcknowledgement() {
        assertEquals(
                BACK + "0800" + "45000028000040004006" + "262b" + VIP + CLIENT + "0050c350" + "00000000" + "00000065"
                        + "5014" + "0000" + "d725" + "0000",
                HexFormat.of().formatHex(answer(ipv4(6, SYN))));
    }

    @ParameterizedTest(name = "flags {0}, options {1}, payload {2}")
    @CsvSource(
            value = {
                // Neither SYN nor FIN: only the payload counts.
                "00 | '' | '' | 00000000 | 00000064 | 5014",
                "08 | '' | 6162 | 00000000 | 00000066 | 5014",
                "02 | '' | '' | 00000000 | 00000065 | 5014",
                "02 | 02040500 | '' | 00000000 | 00000065 | 5014",
                "02 | 02040500 | 616263 | 00000000 | 00000068 | 5014",
                "03 | '' | 61 | 00000000 | 00000067 | 5014",
                "01 | '' | '' | 00000000 | 00000065 | 5014",
                "10 | '' | 6162 | 000000c8 | 00000000 | 5004",
                "12 | '' | '' | 000000c8 | 00000000 | 5004",
                "11 | '' | '' | 000000c8 | 00000000 | 5004"
            },
            delimiter = '|')
    void aSegmentIsResetWhereItsSenderExpectsIt(
            String flags, String options, String payload, String sequence, String acknowledged, String answered) {
        String segment = tcp(flags, options, payload);
        assertEquals("0050c350" + sequence + acknowledged + answered, hex(answer(ipv4(6, segment)), 34, 48));
        assertEquals("0050c350" + sequence + acknowledged + answered, hex(answer(ipv6(6, segment)), 54, 68));
    }

    @Test
    void aSegmentThatIsNotAllThereIsResetByItsWholeLength() {
        byte[] frame = bytes(ipv4(6, tcp("08", "", "61".repeat(1000))));
        byte[] answer = Rejection.of(Arrays.copyOf(frame, 128)).orElseThrow();
        assertEquals("%08x".formatted(100 + 1000), hex(answer, 42, 46));
    }

    @Test
    void anythingElseIsToldThatThePortCannotBeReached() {
        String packet = ipv4(17, DATAGRAM);
        assertEquals(
                BACK + "0800" + "4500003c000040004001" + "261c" + VIP + CLIENT + "0303" + "7489" + "00000000"
                        + packet.substring(28),
                HexFormat.of().formatHex(answer(packet)));
        String six = ipv6(17, DATAGRAM);
        byte[] answer = answer(six);
        assertEquals("6000000000%02x3a40".formatted(8 + 40 + 12), hex(answer, 14, 22));
        assertEquals("0104", hex(answer, 54, 56));
        assertEquals("00000000" + six.substring(28), hex(answer, 58, answer.length));
    }

    @Test
    void aLongPacketIsQuotedAsFarAsThereIsRoom() {
        String four = ipv4(17, PORTS + "03f00000" + "61".repeat(1000));
        byte[] answer = answer(four);
        assertEquals(14 + 576, answer.length);
        assertEquals(four.substring(28, 28 + 2 * 548), hex(answer, 42, answer.length));
        String six = ipv6(17, PORTS + "05e40000" + "61".repeat(1500));
        assertEquals(14 + 1280, answer(six).length);
        byte[] cut = Rejection.of(Arrays.copyOf(bytes(six), 1246)).orElseThrow();
        assertEquals(HexFormat.of().formatHex(answer(six)), HexFormat.of().formatHex(cut), "1246 bytes are enough");
    }

    @Test
    void paddingBehindThePacketIsNotQuoted() {
        byte[] answer = answer(ipv4(17, PORTS + "00080000") + "00".repeat(18));
        assertEquals(14 + 20 + 8 + 28, answer.length);
    }

    @Test
    void whatMustNotBeAnsweredIsNot() {
        silent(ipv4(6, tcp("04", "", "")));
        silent(ipv6(6, tcp("14", "", "")));
        silent(ipv4(1, "0303000000000000"));
        silent(ipv4(1, "0800000000000000"));
        silent(ipv6(58, "0104000000000000"));
        silent(ipv6(44, "0600000100000000" + SYN));
        silent(ipv6(59, ""));
        silent(ipv4(0x2000, 6, CLIENT, VIP, SYN));
        silent(ipv4(0x00b9, 17, CLIENT, VIP, DATAGRAM));
        silent("01005e000010" + ipv4(17, DATAGRAM).substring(12));
        silent("020000000010" + "ffffffffffff" + ipv4(17, DATAGRAM).substring(24));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000", "7f000001", "e0000001", "ffffffff", "f0000001", VIP})
    void thisIsNoSource(String from) {
        silent(ipv4(0, 17, from, VIP, DATAGRAM));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000000000000000000000000000",
                "00000000000000000000000000000001",
                "ff020000000000000000000000000001",
                VIP6
            })
    void norIsThis(String from) {
        silent(ipv6(17, from, VIP6, DATAGRAM));
    }

    @Test
    void whatIsDamagedIsNotAnswered() {
        silent(ipv4(6, SYN).replace("4006", "4106"));
        silent(ipv4(6, SYN.substring(0, 30)));
        silent(ipv4(6, tcp("02", "", "").replace("5002", "4002")));
        silent(ipv4(6, tcp("02", "", "").replace("5002", "6002")));
        silent(ipv4(17, PORTS));
        silent(ipv4(17, DATAGRAM).substring(0, 60));
        silent(ipv4(17, DATAGRAM).replace("080045", "080055"));
        silent(ipv4(17, DATAGRAM).replace("080045", "810045"));
        silent(ipv6(60, "0601000000000000"));
        silent(ipv6(60, "3c00000000000000".repeat(9) + SYN));
        byte[] whole = bytes(ipv6(6, SYN));
        for (int length = 0; length < whole.length; length++) {
            assertTrue(Rejection.of(Arrays.copyOf(whole, length)).isEmpty());
        }
    }
}
