package io.quorumlb.ovs.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArpFrameTest {
    private static final MacAddress NODE = MacAddress.parse("02:00:0a:14:00:fb");
    private static final MacAddress MEMBER = MacAddress.parse("02:00:0a:14:00:02");
    private static final Ipv4Address GATEWAY = Ipv4Address.parse("10.20.0.251");
    private static final Ipv4Address ADDRESS = Ipv4Address.parse("10.20.0.2");
    private static final String PADDING = "00".repeat(18);

    private static String hex(ArpFrame frame) {
        return HexFormat.of().formatHex(frame.bytes());
    }

    @Test
    void anAnnouncementAsksForItsOwnAddress() {
        ArpFrame frame = ArpFrame.announcement(NODE, GATEWAY);
        assertEquals(
                "ffffffffffff" + "02000a1400fb" + "0806" + "0001" + "0800" + "06" + "04" + "0001" + "02000a1400fb"
                        + "0a1400fb" + "000000000000" + "0a1400fb" + PADDING,
                hex(frame));
        assertTrue(frame.isGratuitous());
    }

    @Test
    void anUnsolicitedReplyGoesToEverybody() {
        ArpFrame frame = ArpFrame.unsolicitedReply(NODE, GATEWAY);
        assertEquals(
                "ffffffffffff" + "02000a1400fb" + "0806" + "0001" + "0800" + "06" + "04" + "0002" + "02000a1400fb"
                        + "0a1400fb" + "ffffffffffff" + "0a1400fb" + PADDING,
                hex(frame));
        assertTrue(frame.isGratuitous());
    }

    @Test
    void aRequestGoesToAllAReplyToOne() {
        ArpFrame request = ArpFrame.request(MEMBER, ADDRESS, GATEWAY);
        assertEquals(
                "ffffffffffff" + "02000a140002" + "0806" + "0001" + "0800" + "06" + "04" + "0001" + "02000a140002"
                        + "0a140002" + "000000000000" + "0a1400fb" + PADDING,
                hex(request));
        assertFalse(request.isGratuitous());
        assertEquals(
                "02000a140002" + "02000a1400fb" + "0806" + "0001" + "0800" + "06" + "04" + "0002" + "02000a1400fb"
                        + "0a1400fb" + "02000a140002" + "0a140002" + PADDING,
                hex(ArpFrame.reply(NODE, GATEWAY, MEMBER, ADDRESS)));
    }

    @Test
    void whatIsWrittenIsRead() {
        for (ArpFrame frame : new ArpFrame[] {
            ArpFrame.announcement(NODE, GATEWAY),
            ArpFrame.unsolicitedReply(NODE, GATEWAY),
            ArpFrame.request(NODE, MEMBER, ADDRESS, GATEWAY),
            ArpFrame.reply(NODE, GATEWAY, MEMBER, ADDRESS)
        }) {
            assertEquals(Optional.of(frame), ArpFrame.parse(frame.bytes()));
        }
    }

    @Test
    void anythingElseIsNotArp() {
        byte[] bytes = ArpFrame.announcement(NODE, GATEWAY).bytes();
        for (int length = 0; length < 42; length++) {
            assertEquals(Optional.empty(), ArpFrame.parse(Arrays.copyOf(bytes, length)));
        }
        for (int field : new int[] {12, 14, 16, 18, 19, 20}) {
            byte[] bent = bytes.clone();
            bent[field] ^= 0x40;
            assertEquals(Optional.empty(), ArpFrame.parse(bent), "octet " + field);
        }
    }
}
