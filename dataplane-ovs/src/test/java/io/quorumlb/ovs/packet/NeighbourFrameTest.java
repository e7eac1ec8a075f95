package io.quorumlb.ovs.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NeighbourFrameTest {
    private static final MacAddress NODE = MacAddress.parse("02:00:0a:14:00:fb");
    private static final MacAddress MEMBER = MacAddress.parse("02:00:0a:14:00:02");
    private static final Ipv6Address GATEWAY = Ipv6Address.parse("fd00:20::fb");
    private static final Ipv6Address ADDRESS = Ipv6Address.parse("fd00:20::2");
    private static final String GATEWAY_HEX = "fd0000200000000000000000000000fb";
    private static final String ADDRESS_HEX = "fd000020000000000000000000000002";

    private static String hex(NeighbourFrame frame) {
        return HexFormat.of().formatHex(frame.bytes());
    }

    @Test
    void anAnnouncementGoesToAllNodesAndOverrides() {
        assertEquals(
                "333300000001" + "02000a1400fb" + "86dd" + "60000000" + "0020" + "3a" + "ff" + GATEWAY_HEX
                        + "ff020000000000000000000000000001" + "88" + "00" + "cd58" + "a0000000" + GATEWAY_HEX
                        + "0201" + "02000a1400fb",
                hex(NeighbourFrame.announcement(NODE, GATEWAY)));
    }

    @Test
    void aSolicitationGoesToTheGroupOfTheTarget() {
        assertEquals(
                "3333ff0000fb" + "02000a140002" + "86dd" + "60000000" + "0020" + "3a" + "ff" + ADDRESS_HEX
                        + "ff0200000000000000000001ff0000fb" + "87" + "00" + "714f" + "00000000" + GATEWAY_HEX
                        + "0101" + "02000a140002",
                hex(NeighbourFrame.solicitation(MEMBER, ADDRESS, GATEWAY)));
    }

    @Test
    void whatIsWrittenIsRead() {
        for (NeighbourFrame frame : all()) {
            assertEquals(Optional.of(frame), NeighbourFrame.parse(frame.bytes()));
        }
    }

    private static List<NeighbourFrame> all() {
        return List.of(
                NeighbourFrame.announcement(NODE, GATEWAY),
                NeighbourFrame.reply(NODE, GATEWAY, MEMBER, ADDRESS),
                NeighbourFrame.solicitation(MEMBER, ADDRESS, GATEWAY),
                NeighbourFrame.solicitation(NODE, MEMBER, ADDRESS, GATEWAY),
                new NeighbourFrame.Solicitation(NODE, MEMBER, ADDRESS, GATEWAY, GATEWAY, Optional.empty()));
    }

    @Test
    void aBentBitOrAMissingOctetIsNoNeighbourFrame() {
        for (NeighbourFrame frame : all()) {
            byte[] bytes = frame.bytes();
            for (int length = 0; length < bytes.length; length++) {
                assertEquals(Optional.empty(), NeighbourFrame.parse(Arrays.copyOf(bytes, length)));
            }
            // The checksum covers everything from the IPv6 addresses on; traffic class and flow label do not matter.
            for (int bit = 22 * 8; bit < bytes.length * 8; bit++) {
                byte[] bent = bytes.clone();
                bent[bit / 8] ^= (byte) (1 << bit % 8);
                assertEquals(Optional.empty(), NeighbourFrame.parse(bent), "bit " + bit);
            }
        }
    }
}
