package io.quorumlb.consensus.model;

/**
 * An operator's word on the MAC address of a member.
 *
 * @param value the address as an integer, first byte on the wire highest; of one station, so neither zero nor a group's
 */
public record StaticMac(long value) {
    private static final int BYTES = 6;
    private static final int HEX = 16;
    private static final long VALUE_MAX = 0xffff_ffff_ffffL;
    private static final long GROUP_BIT = 0x0100_0000_0000L;

    /** Checks that one station can have the address. */
    public StaticMac {
        if (value <= 0 || value > VALUE_MAX || (value & GROUP_BIT) != 0) {
            throw new IllegalArgumentException(
                    "MAC address 0x%x is not that of one station: 48 bits, not zero, not a group".formatted(value));
        }
    }

    /**
     * Reads six hexadecimal bytes of two digits with colons.
     *
     * @throws IllegalArgumentException if the text is anything else, or not the address of one station
     */
    public static StaticMac parse(String text) {
        String[] bytes = text.split(":", -1);
        long value = 0;
        boolean wellFormed = bytes.length == BYTES;
        for (int i = 0; i < bytes.length && wellFormed; i++) {
            wellFormed = bytes[i].matches("[0-9a-fA-F]{2}");
            value = wellFormed ? (value << Byte.SIZE) | Integer.parseInt(bytes[i], HEX) : 0;
        }
        if (!wellFormed) {
            throw new IllegalArgumentException("MAC address '%s' must look like 02:00:0a:14:00:02".formatted(text));
        }
        return new StaticMac(value);
    }

    /** Returns six hexadecimal bytes in lower case with colons. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int shift = Byte.SIZE * (BYTES - 1); shift >= 0; shift -= Byte.SIZE) {
            text.append(text.isEmpty() ? "" : ":").append("%02x".formatted((value >>> shift) & 0xff));
        }
        return text.toString();
    }
}
