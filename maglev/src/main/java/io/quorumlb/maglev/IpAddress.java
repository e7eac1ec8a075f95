package io.quorumlb.maglev;

/** An IP address of either version, in one canonical text each. Ordered by version, then by value. */
public sealed interface IpAddress extends Comparable<IpAddress> permits Ipv4Address, Ipv6Address {
    /**
     * Reads an address of either version.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    static IpAddress parse(String text) {
        return text.indexOf(':') < 0 ? Ipv4Address.parse(text) : Ipv6Address.parse(text);
    }

    /** Returns the version. */
    IpFamily family();

    /**
     * Returns true if routers may carry packets to it: it is not unspecified, loopback, link-local, multicast or
     * reserved.
     */
    default boolean routable() {
        return switch (this) {
            case Ipv4Address(int bits) -> {
                int first = bits >>> 24;
                yield first != 0 && first != 127 && first < 224 && bits >>> 16 != 0xa9fe;
            }
            // ::/8 has the unspecified and the loopback address and nothing that is routed; fe80::/10, ff00::/8.
            case Ipv6Address(long high, long _) -> {
                int first = (int) (high >>> 48);
                yield first >>> 8 != 0 && first >>> 6 != 0x3fa && first >>> 8 != 0xff;
            }
        };
    }

    /** Returns the address in network order, 4 or 16 bytes; a fresh array. */
    byte[] bytes();

    /** Returns the canonical text. */
    @Override
    String toString();
}
