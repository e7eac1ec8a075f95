package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberKeyTest {
    @ParameterizedTest
    @ValueSource(strings = {"10.20.0.2:8080", "0.0.0.0:1", "255.255.255.255:65535"})
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
                "[::1]:80",
                "10.20.0.٢:80"
            })
    void anythingElseIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> MemberKey.parse(text));
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
