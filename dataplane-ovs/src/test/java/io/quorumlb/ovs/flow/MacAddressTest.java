package io.quorumlb.ovs.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MacAddressTest {
    @Test
    void isWrittenAsSixBytes() {
        assertEquals("02:00:0a:14:00:02", new MacAddress(0x0200_0a14_0002L).toString());
        assertEquals(new MacAddress(0xffff_ffff_ffffL), MacAddress.parse("FF:ff:ff:ff:ff:ff"));
        assertEquals(new MacAddress(0x0200_0000_0001L), MacAddress.parse("2:0:0:0:0:1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "02:00:00:00:00", "02:00:00:00:00:01:02", "02:00:00:00:00:0g", "02:00:00:00:00:001"})
    void refusesOtherTexts(String text) {
        assertThrows(IllegalArgumentException.class, () -> MacAddress.parse(text));
    }

    @Test
    void refusesMoreThan48Bits() {
        assertThrows(IllegalArgumentException.class, () -> new MacAddress(1L << 48));
        assertThrows(IllegalArgumentException.class, () -> new MacAddress(-1));
    }
}
