package io.quorumlb.consensus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaticMacTest {
    @Test
    void isReadAndWrittenInOneForm() {
        assertEquals(new StaticMac(0x0200_0a14_00feL), StaticMac.parse("02:00:0A:14:00:FE"));
        assertEquals("02:00:0a:14:00:fe", StaticMac.parse("02:00:0A:14:00:FE").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "02:00:0a:14:00",
                "02:00:0a:14:00:fe:01",
                "2:0:a:14:0:fe",
                "02-00-0a-14-00-fe",
                "0g:00:0a:14:00:fe"
            })
    void anotherFormIsNamed(String text) {
        var refused = assertThrows(IllegalArgumentException.class, () -> StaticMac.parse(text));
        assertEquals("MAC address '%s' must look like 02:00:0a:14:00:02".formatted(text), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01"})
    void nobodysAndGroupsAreRefused(String text) {
        var refused = assertThrows(IllegalArgumentException.class, () -> StaticMac.parse(text));
        assertTrue(String.valueOf(refused.getMessage()).contains("is not that of one station"), refused.getMessage());
    }
}
