package io.quorumlb.ovs.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class MatchTest {
    private static final Match VIP = Match.of()
            .with(Field.TCP_DST, 80)
            .with(Field.IPV4_DST, 0x0a63000aL)
            .with(Field.IP_PROTO, 6)
            .with(Field.ETH_TYPE, 0x0800);

    @Test
    void orderOfConditionsDoesNotMatter() {
        Match other = Match.of()
                .with(Field.ETH_TYPE, 0x0800)
                .with(Field.IP_PROTO, 6)
                .with(Field.IPV4_DST, 0x0a63000aL)
                .with(Field.TCP_DST, 80);
        assertEquals(VIP, other);
        assertEquals(0, VIP.compareTo(other));
        assertEquals("tcp,nw_dst=10.99.0.10,tcp_dst=80", VIP.toString());
    }

    @Test
    void bitsOutsideTheMaskDoNotMatter() {
        assertEquals(Match.of().with(Field.REG1, 0x1234, 0xff), Match.of().with(Field.REG1, 0x34, 0xff));
        assertNotEquals(Match.of().with(Field.REG1, 0x34), Match.of().with(Field.REG1, 0x34, 0xff));
    }

    @Test
    void writesMasksAndFragments() {
        assertEquals(
                "in_port=LOCAL,ip,nw_frag=yes,nw_src=10.0.0.0/255.0.0.0",
                Match.of()
                        .with(Field.IN_PORT, 0xffff_fffeL)
                        .with(Field.ETH_TYPE, 0x0800)
                        .with(Field.IP_FRAG, 1, 1)
                        .with(Field.IPV4_SRC, 0x0a010203L, 0xff000000L)
                        .toString());
        assertEquals("", Match.of().toString());
    }

    @Test
    void writesAddressesOfVersion6() {
        Match udp = Match.of().with(Field.ETH_TYPE, 0x86dd).with(Field.IP_PROTO, 17);
        assertEquals("udp6", udp.toString());
        assertEquals(
                "udp6,ipv6_dst=fd00:99::10",
                udp.with(wide(0xfd00_0099_0000_0000L, 0x10)).toString());
        assertEquals("udp6,ipv6_dst=::", udp.with(wide(0, 0)).toString());
        assertEquals("udp6,ipv6_dst=::1", udp.with(wide(0, 1)).toString());
        assertEquals(
                "udp6,ipv6_dst=1:0:0:2::",
                udp.with(wide(0x1_0000_0000_0002L, 0)).toString());
        assertEquals(
                "udp6,ipv6_dst=10::2:0:0:1",
                udp.with(wide(0x10L << 48, 0x2_0000_0000_0001L)).toString());
        assertEquals(
                "udp6,ipv6_dst=0:1:0:2:0:3:0:4",
                udp.with(wide(0x1_0000_0002L, 0x3_0000_0004L)).toString());
        assertEquals(
                "udp6,ipv6_dst=fd00::/ffff::",
                udp.with(new Match.Term(Field.IPV6_DST, 0xfd00L << 48 | 7, 1, 0xffffL << 48, 0))
                        .toString());
    }

    private static Match.Term wide(long high, long low) {
        return Match.Term.wide(Field.IPV6_DST, high, low);
    }

    @Test
    void widerValuesAreOrderedByBothWords() {
        Match.Term small = wide(1, -1);
        Match.Term large = wide(-1, 0);
        assertEquals(-1, Integer.signum(small.compareTo(large)));
        assertEquals(0, large.compareTo(wide(-1, 0)));
        assertThrows(IllegalArgumentException.class, () -> Match.Term.wide(Field.TCP_DST, 1, 0));
    }

    @Test
    void refusesWhatCannotMatch() {
        assertThrows(IllegalArgumentException.class, () -> VIP.with(Field.TCP_DST, 81));
        assertThrows(IllegalArgumentException.class, () -> Match.of().with(Field.TCP_DST, 65536));
        assertThrows(IllegalArgumentException.class, () -> Match.of().with(Field.REG0, 1, 0));
    }
}
