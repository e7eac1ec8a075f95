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

    /** Returns the address in network order, 4 or 16 bytes; a fresh array. */
    byte[] bytes();

    /** Returns the canonical text. */
    @Override
    String toString();
}
