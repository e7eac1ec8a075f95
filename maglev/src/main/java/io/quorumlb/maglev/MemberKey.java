package io.quorumlb.maglev;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Where a member serves: its canonical text {@code address:port} or {@code [address]:port} is what the table hashes and
 * sorts by.
 *
 * <p>The order is that of the text's bytes, so {@code 10.20.0.10:8080} comes before {@code 10.20.0.9:8080}. Addresses
 * of IPv6 are written as in RFC 5952, so that one member has one key. The text is made once.
 */
public final class MemberKey implements Comparable<MemberKey> {
    private static final int PORT_MAX = 65_535;
    private static final int PORT_DIGITS_MAX = 5;

    private final IpAddress address;
    private final int port;
    private final String text;

    /**
     * Creates the key.
     *
     * @param address IPv4 or IPv6
     * @param port 1..65535
     * @throws IllegalArgumentException naming a port out of range
     */
    public MemberKey(IpAddress address, int port) {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("port %d is outside 1..%d".formatted(port, PORT_MAX));
        }
        this.address = address;
        this.port = port;
        this.text = switch (address) {
            case Ipv4Address _ -> address + ":" + port;
            case Ipv6Address _ -> "[" + address + "]:" + port;
        };
    }

    /**
     * Reads {@code address:port} or {@code [address]:port}.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static MemberKey parse(String text) {
        int colon = text.lastIndexOf(':');
        String digits = text.substring(colon + 1);
        boolean number = !digits.isEmpty()
                && digits.length() <= PORT_DIGITS_MAX
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.length() == 1 || digits.charAt(0) != '0');
        if (colon < 0 || !number) {
            throw new IllegalArgumentException(
                    "'%s' is not address:port, for example 10.20.0.2:8080 or [2001:db8::1]:8080".formatted(text));
        }
        return new MemberKey(address(text.substring(0, colon)), Integer.parseInt(digits));
    }

    private static IpAddress address(String text) {
        boolean bracketed = text.length() > 1 && text.startsWith("[") && text.endsWith("]");
        return bracketed ? Ipv6Address.parse(text.substring(1, text.length() - 1)) : Ipv4Address.parse(text);
    }

    /** Returns the address. */
    public IpAddress address() {
        return address;
    }

    /** Returns the address if it is IPv4. */
    public Optional<Ipv4Address> ipv4() {
        return address instanceof Ipv4Address ipv4 ? Optional.of(ipv4) : Optional.empty();
    }

    /** Returns the port, 1..65535. */
    public int port() {
        return port;
    }

    /** Returns the canonical text as ASCII bytes; a fresh array. */
    byte[] bytes() {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Orders by the bytes of the canonical text. */
    @Override
    public int compareTo(MemberKey other) {
        // The text is ASCII, so the order of its characters is that of its bytes.
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemberKey key && text.equals(key.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns the canonical text. */
    @Override
    public String toString() {
        return text;
    }
}
