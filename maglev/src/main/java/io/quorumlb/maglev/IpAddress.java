package io.quorumlb.maglev;

/** An IP address of either version, in one canonical text each. */
public sealed interface IpAddress permits Ipv4Address, Ipv6Address {
    /** Returns the address in network order, 4 or 16 bytes; a fresh array. */
    byte[] bytes();

    /** Returns the canonical text. */
    @Override
    String toString();
}
