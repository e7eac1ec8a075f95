package io.quorumlb.consensus.model;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;

/**
 * A network of either version of IP.
 *
 * @param network its first address; host bits are zero
 * @param length 8..30 for IPv4, 16..126 for IPv6
 */
public record IpPrefix(IpAddress network, int length) {
    private static final int DIGITS_MAX = 3;

    /** Checks length and host bits. */
    public IpPrefix {
        int min = network.family() == IpFamily.IPV4 ? 8 : 16;
        int max = network.family() == IpFamily.IPV4 ? 30 : 126;
        if (length < min || length > max) {
            throw new IllegalArgumentException(
                    "prefix length %d of %s is outside %d..%d".formatted(length, network, min, max));
        }
        IpAddress first = masked(network, length);
        if (!first.equals(network)) {
            throw new IllegalArgumentException(
                    "network %s/%d has host bits set: %s/%d is the network".formatted(network, length, first, length));
        }
    }

    /**
     * Reads {@code 10.20.0.0/24} or {@code fd00:20::/64}.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static IpPrefix parse(String text) {
        int slash = text.indexOf('/');
        String digits = text.substring(slash + 1);
        if (slash < 0
                || digits.isEmpty()
                || digits.length() > DIGITS_MAX
                || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException(
                    "'%s' is not a network, for example 10.20.0.0/24 or fd00:20::/64".formatted(text));
        }
        return new IpPrefix(IpAddress.parse(text.substring(0, slash)), Integer.parseInt(digits));
    }

    private static IpAddress masked(IpAddress address, int length) {
        return switch (address) {
            case Ipv4Address(int bits) -> new Ipv4Address(bits & (int) (mask(length) >>> Integer.SIZE));
            case Ipv6Address(long high, long low) ->
                new Ipv6Address(high & mask(Math.min(length, Long.SIZE)), low & mask(Math.max(length - Long.SIZE, 0)));
        };
    }

    /** Returns the highest {@code length} bits set, 0..64. */
    private static long mask(int length) {
        return length == 0 ? 0 : -1L << (Long.SIZE - length);
    }

    /** Returns the version of IP. */
    public IpFamily family() {
        return network.family();
    }

    /** Returns true if the address lies in the network; none of the other version does. */
    public boolean contains(IpAddress address) {
        return address.family() == family() && masked(address, length).equals(network);
    }

    /** Returns true if some address lies in both networks. */
    public boolean overlaps(IpPrefix other) {
        return contains(other.network) || other.contains(network);
    }

    /** Returns {@code network/length}. */
    @Override
    public String toString() {
        return network + "/" + length;
    }
}
