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
    void refusesWhatCannotMatch() {
        assertThrows(IllegalArgumentException.class, () -> VIP.with(Field.TCP_DST, 81));
        assertThrows(IllegalArgumentException.class, () -> Match.of().with(Field.TCP_DST, 65536));
        assertThrows(IllegalArgumentException.class, () -> Match.of().with(Field.REG0, 1, 0));
    }
}
