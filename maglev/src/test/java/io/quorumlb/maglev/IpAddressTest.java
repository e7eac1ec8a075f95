package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IpAddressTest {
    @Test
    void theTextSaysTheFamily() {
        assertEquals(IpFamily.IPV4, IpAddress.parse("10.20.0.2").family());
        assertEquals(IpFamily.IPV6, IpAddress.parse("fd00:20::2").family());
        assertThrows(IllegalArgumentException.class, () -> IpAddress.parse("host"));
        assertThrows(IllegalArgumentException.class, () -> IpAddress.parse("fd00:20::2%eth0"));
    }

    @Test
    void theOrderIsNumericWithIpv4First() {
        List<String> sorted =
                List.of("9.0.0.1", "10.0.0.9", "10.0.0.10", "200.0.0.1", "::1", "fd00::2", "fd00::10", "fe80::1");
        var addresses =
                new TreeSet<>(sorted.reversed().stream().map(IpAddress::parse).toList());
        assertEquals(sorted, addresses.stream().map(IpAddress::toString).toList());
    }

    @Test
    void someAddressesAreNotRouted() {
        Stream.of(
                        "0.0.0.1",
                        "127.0.0.1",
                        "169.254.1.1",
                        "224.0.0.1",
                        "255.255.255.255",
                        "::",
                        "::1",
                        "fe80::1",
                        "febf::1",
                        "ff02::1")
                .forEach(it -> assertFalse(IpAddress.parse(it).routable(), it));
        Stream.of("1.0.0.1", "10.0.0.1", "169.253.1.1", "223.255.255.1", "2001:db8::1", "fd00::1", "fec0::1")
                .forEach(it -> assertTrue(IpAddress.parse(it).routable(), it));
    }
}
