package io.quorumlb.ovs.flow;

/**
 * An Ethernet address.
 *
 * @param value the address as an integer, 0..2^48-1, first byte on the wire highest
 */
public record MacAddress(long value) implements Comparable<MacAddress> {
    private static final int BYTES = 6;
    private static final long GROUP_BIT = 0x0100_0000_0000L;
    private static final long VALUE_MAX = 0xffff_ffff_ffffL;

    /** Checks the range of the value. */
    public MacAddress {
        if (value < 0 || value > VALUE_MAX) {
            throw new IllegalArgumentException("MAC address must fit 48 bits, is 0x" + Long.toHexString(value));
        }
    }

    /**
     * Returns the address written as six hexadecimal bytes.
     *
     * @param text for example {@code 02:00:0a:14:00:02}, upper or lower case, one or two digits per byte
     * @throws IllegalArgumentException if the text is not of that form
     */
    public static MacAddress parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != BYTES) {
            throw malformed(text);
        }
        long value = 0;
        for (String part : parts) {
            value = (value << 8) | parseByte(part, text);
        }
        return new MacAddress(value);
    }

    private static int parseByte(String part, String text) {
        if (part.isEmpty() || part.length() > 2) {
            throw malformed(text);
        }
        int result = 0;
        for (int i = 0; i < part.length(); i++) {
            int digit = Character.digit(part.charAt(i), 16);
            if (digit < 0 || part.charAt(i) > 'f') {
                throw malformed(text);
            }
            result = (result << 4) | digit;
        }
        return result;
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("MAC address must look like 02:00:0a:14:00:02, is '" + text + "'");
    }

    /** Returns whether one station can have the address: it is neither zero nor a group's. */
    public boolean isStation() {
        return value != 0 && (value & GROUP_BIT) == 0;
    }

    @Override
    public int compareTo(MacAddress other) {
        return Long.compare(value, other.value);
    }

    /** Returns six lower-case hexadecimal bytes, for example {@code 02:00:0a:14:00:02}. */
    @Override
    public String toString() {
        var text = new StringBuilder(17);
        for (int shift = 40; shift >= 0; shift -= 8) {
            int octet = (int) (value >>> shift) & 0xff;
            text.append(Character.forDigit(octet >>> 4, 16)).append(Character.forDigit(octet & 0xf, 16));
            if (shift > 0) {
                text.append(':');
            }
        }
        return text.toString();
    }
}
