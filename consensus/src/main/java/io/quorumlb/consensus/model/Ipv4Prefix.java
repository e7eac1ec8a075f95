package io.quorumlb.consensus.model;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;

/**
 * An IPv4 network.
 *
 * @param network its first address; host bits are zero
 * @param length 8..30
 */
public record Ipv4Prefix(Ipv4Address network, int length) {
    private static final int LENGTH_MIN = 8;
    private static final int LENGTH_MAX = 30;

    /** Checks length and host bits. */
    public Ipv4Prefix {
        if (length < LENGTH_MIN || length > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "prefix length %d is outside %d..%d".formatted(length, LENGTH_MIN, LENGTH_MAX));
        }
        if ((network.bits() & ~mask(length)) != 0) {
            throw new IllegalArgumentException("network %s/%d has host bits set: %s/%d is the network"
                    .formatted(network, length, new Ipv4Address(network.bits() & mask(length)), length));
        }
    }

    /**
     * Reads {@code 10.20.0.0/24}.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static Ipv4Prefix parse(String text) {
        int slash = text.indexOf('/');
        String digits = text.substring(slash + 1);
        if (slash < 0
                || digits.isEmpty()
                || digits.length() > 2
                || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException("'%s' is not a network, for example 10.20.0.0/24".formatted(text));
        }
        return new Ipv4Prefix(Ipv4Address.parse(text.substring(0, slash)), Integer.parseInt(digits));
    }

    private static int mask(int length) {
        return -1 << (Integer.SIZE - length);
    }

    /** Returns true if the address lies in the network; none of IPv6 does. */
    public boolean contains(IpAddress address) {
        return address instanceof Ipv4Address(int bits) && (bits & mask(length)) == network.bits();
    }

    /** Returns true if some address lies in both networks. */
    public boolean overlaps(Ipv4Prefix other) {
        return contains(other.network) || other.contains(network);
    }

    /** Returns {@code network/length}. */
    @Override
    public String toString() {
        return network + "/" + length;
    }
}
