package io.quorumlb.maglev;

/** An IP address of either version, in one canonical text each. */
public sealed interface IpAddress permits Ipv4Address, Ipv6Address {
    /**
     * Reads dotted decimal or, if there is a colon, IPv6 text.
     *
     * @throws IllegalArgumentException naming the text and the form expected
     */
    static IpAddress parse(String text) {
        return text.indexOf(':') < 0 ? Ipv4Address.parse(text) : Ipv6Address.parse(text);
    }

    /** Returns the address in network order, 4 or 16 bytes; a fresh array. */
    byte[] bytes();

    /** Returns the canonical text. */
    @Override
    String toString();
}
