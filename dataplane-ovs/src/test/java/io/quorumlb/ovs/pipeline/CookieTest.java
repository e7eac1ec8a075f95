package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CookieTest {
    @Test
    void ownerKindPoolAndObjectHaveTheirBits() {
        long cookie = Cookie.of(Cookie.Kind.SLOT, 0xabcd, 0x123456);
        assertEquals(0x5155_02_abcd_123456L, cookie);
        assertTrue(Cookie.isKind(cookie, Cookie.Kind.SLOT));
        assertFalse(Cookie.isKind(cookie, Cookie.Kind.LISTENER));
        assertEquals(0xabcd, Cookie.pool(cookie));
        assertEquals(0x123456, Cookie.object(cookie));
    }

    @Test
    void kindsDiffer() {
        var codes = new TreeSet<Integer>();
        for (Cookie.Kind kind : Cookie.Kind.values()) {
            assertTrue(codes.add(kind.code()), kind.name());
            assertTrue(kind.code() >= 0 && kind.code() <= 0xff, kind.name());
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Cookie.of(Cookie.Kind.SLOT, 65_536, 0));
        assertThrows(IllegalArgumentException.class, () -> Cookie.of(Cookie.Kind.SLOT, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> Cookie.of(Cookie.Kind.SLOT, 0, 1 << 24));
        assertThrows(IllegalArgumentException.class, () -> Cookie.of(Cookie.Kind.SLOT, 0, -1));
    }
}
