package io.quorumlb.maglev;

/** An IP address of either version, in one canonical text each. */
public sealed interface IpAddress extends Comparable<IpAddress> permits Ipv4Address, Ipv6Address {
    /**
     * Reads an address of either version; one with a colon is IPv6.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    static IpAddress parse(String text) {
        return text.indexOf(':') < 0 ? Ipv4Address.parse(text) : Ipv6Address.parse(text);
    }

    /** Returns the version of IP. */
    default IpFamily family() {
        return switch (this) {
            case Ipv4Address _ -> IpFamily.V4;
            case Ipv6Address _ -> IpFamily.V6;
        };
    }

    /** Returns the address in network order, 4 or 16 bytes; a fresh array. */
    byte[] bytes();

    /** Orders IPv4 before IPv6, each by numeric value. */
    @Override
    default int compareTo(IpAddress other) {
        if (this instanceof Ipv4Address(int one) && other instanceof Ipv4Address(int two)) {
            return Integer.compareUnsigned(one, two);
        }
        if (this instanceof Ipv6Address(long high, long low)
                && other instanceof Ipv6Address(long otherHigh, long otherLow)) {
            int first = Long.compareUnsigned(high, otherHigh);
            return first != 0 ? first : Long.compareUnsigned(low, otherLow);
        }
        return family().compareTo(other.family());
    }

    /** Returns the canonical text. */
    @Override
    String toString();
}
