package io.quorumlb.maglev;

/**
 * An IPv4 address.
 *
 * @param bits the four bytes in network order, as one integer
 */
public record Ipv4Address(int bits) implements IpAddress {
    private static final int OCTETS = 4;
    private static final int OCTET_DIGITS_MAX = 3;
    private static final int OCTET_MAX = 255;

    /**
     * Reads dotted decimal, for example {@code 10.20.0.2}.
     *
     * @throws IllegalArgumentException if the text is not four decimal numbers 0..255 without leading zeros
     */
    public static Ipv4Address parse(String text) {
        String[] octets = text.split("\\.", -1);
        if (octets.length != OCTETS) {
            throw notAnAddress(text);
        }
        int bits = 0;
        for (String octet : octets) {
            bits = (bits << 8) | octet(octet, text);
        }
        return new Ipv4Address(bits);
    }

    private static int octet(String digits, String text) {
        boolean plain = !digits.isEmpty()
                && digits.length() <= OCTET_DIGITS_MAX
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.length() == 1 || digits.charAt(0) != '0');
        int value = plain ? Integer.parseInt(digits) : OCTET_MAX + 1;
        if (value > OCTET_MAX) {
            throw notAnAddress(text);
        }
        return value;
    }

    private static IllegalArgumentException notAnAddress(String text) {
        return new IllegalArgumentException(
                "address '%s' is not IPv4: four decimal numbers 0..255 without leading zeros expected".formatted(text));
    }

    @Override
    public byte[] bytes() {
        return new byte[] {(byte) (bits >>> 24), (byte) (bits >>> 16), (byte) (bits >>> 8), (byte) bits};
    }

    @Override
    public IpFamily family() {
        return IpFamily.IPV4;
    }

    /** Orders by numeric value, 0.0.0.0 first; before every address of version 6. */
    @Override
    public int compareTo(IpAddress other) {
        return switch (other) {
            case Ipv4Address(int otherBits) -> Integer.compareUnsigned(bits, otherBits);
            case Ipv6Address _ -> -1;
        };
    }

    /** Returns dotted decimal. */
    @Override
    public String toString() {
        return (bits >>> 24) + "." + ((bits >>> 16) & 0xff) + "." + ((bits >>> 8) & 0xff) + "." + (bits & 0xff);
    }
}
