package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemberKeyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.20.0.2:8080",
                "0.0.0.0:1",
                "255.255.255.255:65535",
                "[::]:1",
                "[::1]:80",
                "[2001:db8::1]:8080",
                "[1::8]:80",
                "[1:0:3:4:5:6:7:8]:80",
                "[fe80::]:80"
            })
    void canonicalTextIsItsOwnForm(String text) {
        assertEquals(text, MemberKey.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "10.20.0.2",
                "10.20.0.2:",
                "10.20.0.2:0",
                "10.20.0.2:65536",
                "10.20.0.2:-1",
                "10.20.0.2:+80",
                "10.20.0:80",
                "10.20.0.256:80",
                "10.20.0.02:80",
                "10.20.0.2.3:80",
                "a.b.c.d:80",
                " 10.20.0.2:80",
                "10.20.0.2:99999999999",
                "::1:80",
                "[10.20.0.2]:80",
                "[::1]",
                "[::1]:080",
                "[::ffff:10.20.0.2]:80",
                "[::ffff:a14:2]:80",
                "[1::2::3]:80",
                "[1:2:3:4:5:6:7]:80",
                "[1:2:3:4:5:6:7::8]:80",
                "[1:2:3:4:5:6:7:8:9]:80",
                "[fe80::1%eth0]:80",
                "[:1:2:3:4:5:6:7]:80",
                "[12345::]:80",
                "10.20.0.٢:80"
            })
    void anythingElseIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> MemberKey.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "[2001:DB8:0:0:0:0:0:1]:80, [2001:db8::1]:80",
        "[2001:0db8::0001]:80, [2001:db8::1]:80",
        "[2001:db8:0:0:1:0:0:1]:80, [2001:db8::1:0:0:1]:80",
        "[2001:0:0:1:0:0:0:1]:80, [2001:0:0:1::1]:80",
        "[1:2:3:4:5:6::8]:80, [1:2:3:4:5:6:0:8]:80",
        "[0:0:0:0:0:0:0:0]:80, [::]:80",
        "[1:0:0:0:0:0:0:0]:80, [1::]:80",
    })
    void oneAddressOfIpv6HasOneText(String text, String canonical) {
        assertEquals(canonical, MemberKey.parse(text).toString());
        assertEquals(MemberKey.parse(canonical), MemberKey.parse(text));
    }

    @Test
    void weightsAreChecked() {
        MemberKey key = MemberKey.parse("10.20.0.2:8080");
        assertThrows(IllegalArgumentException.class, () -> new TableMember(1, key, 1001, 0));
        assertThrows(IllegalArgumentException.class, () -> new TableMember(1, key, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> new TableMember(1, key, 1, 2));
        assertThrows(IllegalArgumentException.class, () -> new TableMember(0, key, 1, 1));
    }
}
