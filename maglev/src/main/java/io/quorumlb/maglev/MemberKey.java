package io.quorumlb.maglev;

import java.nio.charset.StandardCharsets;

/**
 * Where a member serves: the canonical text {@code address:port} is what the table hashes and sorts by.
 *
 * <p>The order is that of the text's bytes, so {@code 10.20.0.10:8080} comes before {@code 10.20.0.9:8080}.
 *
 * @param address IPv4 address
 * @param port 1..65535
 */
public record MemberKey(Ipv4Address address, int port) implements Comparable<MemberKey> {
    private static final int PORT_MAX = 65_535;

    /** Checks the port. */
    public MemberKey {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("port %d is outside 1..%d".formatted(port, PORT_MAX));
        }
    }

    /**
     * Reads {@code address:port}.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static MemberKey parse(String text) {
        int colon = text.lastIndexOf(':');
        String digits = text.substring(colon + 1);
        boolean number =
                !digits.isEmpty() && digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (colon < 0 || !number) {
            throw new IllegalArgumentException("'%s' is not address:port, for example 10.20.0.2:8080".formatted(text));
        }
        return new MemberKey(Ipv4Address.parse(text.substring(0, colon)), Integer.parseInt(digits));
    }

    /** Returns the canonical text as ASCII bytes; a fresh array. */
    byte[] bytes() {
        return toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Orders by the bytes of the canonical text. */
    @Override
    public int compareTo(MemberKey other) {
        return toString().compareTo(other.toString());
    }

    /** Returns {@code address:port}. */
    @Override
    public String toString() {
        return address + ":" + port;
    }
}
