package io.quorumlb.maglev;

/**
 * An IPv6 address.
 *
 * @param high the first eight bytes in network order
 * @param low the last eight bytes in network order
 */
public record Ipv6Address(long high, long low) implements IpAddress {
    private static final int GROUPS = 8;
    private static final int GROUPS_PER_LONG = 4;
    private static final int GROUP_BITS = 16;
    private static final int GROUP_MASK = 0xffff;
    private static final int GROUP_DIGITS_MAX = 4;
    private static final int HEX = 16;
    private static final String GAP = "::";
    private static final long MAPPED_PREFIX = 0xffffL;

    /** Refuses IPv4-mapped addresses: the same host would have two keys. */
    public Ipv6Address {
        if (high == 0 && (low >>> 32) == MAPPED_PREFIX) {
            throw new IllegalArgumentException("address ::ffff:%s is IPv4-mapped: write it as %s"
                    .formatted(new Ipv4Address((int) low), new Ipv4Address((int) low)));
        }
    }

    /**
     * Reads eight hexadecimal groups with at most one {@code ::}, in either case; no zone, no embedded dotted decimal.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    public static Ipv6Address parse(String text) {
        int gap = text.indexOf(GAP);
        String[] front = groups(gap < 0 ? text : text.substring(0, gap));
        String[] back = groups(gap < 0 ? "" : text.substring(gap + GAP.length()));
        int given = front.length + back.length;
        // "::" stands for at least one group.
        if (gap < 0 ? given != GROUPS : given >= GROUPS) {
            throw notAnAddress(text);
        }
        int[] groups = new int[GROUPS];
        for (int i = 0; i < front.length; i++) {
            groups[i] = group(front[i], text);
        }
        for (int i = 0; i < back.length; i++) {
            groups[GROUPS - back.length + i] = group(back[i], text);
        }
        return new Ipv6Address(half(groups, 0), half(groups, GROUPS_PER_LONG));
    }

    private static String[] groups(String part) {
        return part.isEmpty() ? new String[0] : part.split(":", -1);
    }

    private static int group(String digits, String text) {
        boolean hex = !digits.isEmpty()
                && digits.length() <= GROUP_DIGITS_MAX
                && digits.chars()
                        .allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
        if (!hex) {
            throw notAnAddress(text);
        }
        return Integer.parseInt(digits, HEX);
    }

    private static long half(int[] groups, int from) {
        long bits = 0;
        for (int i = from; i < from + GROUPS_PER_LONG; i++) {
            bits = (bits << GROUP_BITS) | groups[i];
        }
        return bits;
    }

    private static IllegalArgumentException notAnAddress(String text) {
        return new IllegalArgumentException(
                "address '%s' is not IPv6: eight groups of 1..4 hexadecimal digits or one '::' expected"
                        .formatted(text));
    }

    @Override
    public byte[] bytes() {
        byte[] bytes = new byte[2 * Long.BYTES];
        for (int i = 0; i < Long.BYTES; i++) {
            int shift = Long.SIZE - Byte.SIZE * (i + 1);
            bytes[i] = (byte) (high >>> shift);
            bytes[Long.BYTES + i] = (byte) (low >>> shift);
        }
        return bytes;
    }

    @Override
    public IpFamily family() {
        return IpFamily.IPV6;
    }

    /** Orders by numeric value, :: first; behind every address of version 4. */
    @Override
    public int compareTo(IpAddress other) {
        return switch (other) {
            case Ipv4Address _ -> 1;
            case Ipv6Address(long otherHigh, long otherLow) -> {
                int order = Long.compareUnsigned(high, otherHigh);
                yield order != 0 ? order : Long.compareUnsigned(low, otherLow);
            }
        };
    }

    private int group(int index) {
        long half = index < GROUPS_PER_LONG ? high : low;
        return (int) (half >>> (GROUP_BITS * (GROUPS_PER_LONG - 1 - index % GROUPS_PER_LONG))) & GROUP_MASK;
    }

    /** Returns the form of RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups cut. */
    @Override
    public String toString() {
        int gapStart = GROUPS;
        int gapLength = 1;
        int run = 0;
        for (int i = 0; i < GROUPS; i++) {
            run = group(i) == 0 ? run + 1 : 0;
            if (run > gapLength) {
                gapLength = run;
                gapStart = i - run + 1;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == gapStart) {
                text.append(GAP);
                i += gapLength - 1;
                continue;
            }
            boolean afterGap = i == gapStart + gapLength;
            text.append(i == 0 || afterGap ? "" : ":").append(Integer.toHexString(group(i)));
        }
        return text.toString();
    }
}
