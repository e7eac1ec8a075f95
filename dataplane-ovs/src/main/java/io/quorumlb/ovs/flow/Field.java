package io.quorumlb.ovs.flow;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A packet field or register that flows match, set or move, with its OXM/NXM identity and its name in Open vSwitch.
 *
 * <p>The order is canonical: a field stands behind those it needs ({@code tcp_dst} behind {@code ip_proto} behind
 * {@code eth_type}), because the switch checks prerequisites while it reads. Values have two words: the low 64 bits, and
 * the high ones, which are zero for all but the fields of IPv6 addresses and their scratch register.
 */
public enum Field {
    IN_PORT("in_port", OxmClass.OPENFLOW_BASIC, 0, 32, Format.PORT),
    ETH_DST("eth_dst", OxmClass.OPENFLOW_BASIC, 3, 48, Format.MAC),
    ETH_SRC("eth_src", OxmClass.OPENFLOW_BASIC, 4, 48, Format.MAC),
    ETH_TYPE("eth_type", OxmClass.OPENFLOW_BASIC, 5, 16, Format.HEX),
    IP_PROTO("nw_proto", OxmClass.OPENFLOW_BASIC, 10, 8, Format.DECIMAL),
    IP_FRAG("nw_frag", OxmClass.NXM_1, 26, 2, Format.FRAGMENT),
    IP_TTL("nw_ttl", OxmClass.NXM_1, 29, 8, Format.DECIMAL),
    IPV4_SRC("nw_src", OxmClass.OPENFLOW_BASIC, 11, 32, Format.IPV4),
    IPV4_DST("nw_dst", OxmClass.OPENFLOW_BASIC, 12, 32, Format.IPV4),
    IPV6_SRC("ipv6_src", OxmClass.OPENFLOW_BASIC, 26, 128, Format.IPV6),
    IPV6_DST("ipv6_dst", OxmClass.OPENFLOW_BASIC, 27, 128, Format.IPV6),
    TCP_SRC("tcp_src", OxmClass.OPENFLOW_BASIC, 13, 16, Format.DECIMAL),
    TCP_DST("tcp_dst", OxmClass.OPENFLOW_BASIC, 14, 16, Format.DECIMAL),
    UDP_SRC("udp_src", OxmClass.OPENFLOW_BASIC, 15, 16, Format.DECIMAL),
    UDP_DST("udp_dst", OxmClass.OPENFLOW_BASIC, 16, 16, Format.DECIMAL),
    ICMPV4_TYPE("icmp_type", OxmClass.OPENFLOW_BASIC, 19, 8, Format.DECIMAL),
    ICMPV4_CODE("icmp_code", OxmClass.OPENFLOW_BASIC, 20, 8, Format.DECIMAL),
    ICMPV6_TYPE("icmpv6_type", OxmClass.OPENFLOW_BASIC, 29, 8, Format.DECIMAL),
    ICMPV6_CODE("icmpv6_code", OxmClass.OPENFLOW_BASIC, 30, 8, Format.DECIMAL),
    ND_TARGET("nd_target", OxmClass.OPENFLOW_BASIC, 31, 128, Format.IPV6),
    ND_SLL("nd_sll", OxmClass.OPENFLOW_BASIC, 32, 48, Format.MAC),
    ND_TLL("nd_tll", OxmClass.OPENFLOW_BASIC, 33, 48, Format.MAC),
    ND_RESERVED("nd_reserved", OxmClass.ERICSSON, 1, 32, Format.HEX),
    ND_OPTIONS_TYPE("nd_options_type", OxmClass.ERICSSON, 2, 8, Format.DECIMAL),
    ARP_OP("arp_op", OxmClass.OPENFLOW_BASIC, 21, 16, Format.DECIMAL),
    ARP_SPA("arp_spa", OxmClass.OPENFLOW_BASIC, 22, 32, Format.IPV4),
    ARP_TPA("arp_tpa", OxmClass.OPENFLOW_BASIC, 23, 32, Format.IPV4),
    ARP_SHA("arp_sha", OxmClass.OPENFLOW_BASIC, 24, 48, Format.MAC),
    ARP_THA("arp_tha", OxmClass.OPENFLOW_BASIC, 25, 48, Format.MAC),
    REG0("reg0", OxmClass.NXM_1, 0, 32, Format.HEX),
    REG1("reg1", OxmClass.NXM_1, 1, 32, Format.HEX),
    REG2("reg2", OxmClass.NXM_1, 2, 32, Format.HEX),
    REG3("reg3", OxmClass.NXM_1, 3, 32, Format.HEX),
    REG4("reg4", OxmClass.NXM_1, 4, 32, Format.HEX),
    XXREG2("xxreg2", OxmClass.NXM_1, 113, 128, Format.HEX),
    /** The datapath's hash, in a bucket of a group that asks for it; no flow may match it. */
    DP_HASH("dp_hash", OxmClass.NXM_1, 35, 32, Format.HEX);

    private final String ovsName;
    private final int oxmClass;
    private final int number;
    private final int bits;
    private final Format format;
    private final long fullMask;
    private final long fullMaskHigh;

    Field(String ovsName, int oxmClass, int number, int bits, Format format) {
        this.ovsName = ovsName;
        this.oxmClass = oxmClass;
        this.number = number;
        this.bits = bits;
        this.format = format;
        fullMask = -1L >>> Math.max(0, Long.SIZE - bits);
        fullMaskHigh = bits <= Long.SIZE ? 0 : -1L >>> (2 * Long.SIZE - bits);
    }

    /** Returns the name in the syntax of {@code ovs-ofctl}, for example {@code nw_dst}. */
    public String ovsName() {
        return ovsName;
    }

    /** Returns the class of the OXM header: 0x8000 is OpenFlow basic, 1 is Nicira, 0x1000 is Ericsson. */
    public int oxmClass() {
        return oxmClass;
    }

    /** Returns the number within the class, 0..127. */
    public int number() {
        return number;
    }

    /** Returns the width in bits, 1..128. */
    public int bits() {
        return bits;
    }

    /** Returns the width on the wire in bytes, 1..16. */
    public int bytes() {
        return (bits + 7) / 8;
    }

    /** Returns the low word of the mask that covers the whole field. */
    public long fullMask() {
        return fullMask;
    }

    /** Returns the high word of the mask that covers the whole field, zero for a field of at most 64 bits. */
    public long fullMaskHigh() {
        return fullMaskHigh;
    }

    /** Refuses bits outside the field. */
    void check(String what, long high, long value) {
        if ((value & ~fullMask) != 0 || (high & ~fullMaskHigh) != 0) {
            throw new IllegalArgumentException(
                    ovsName + ": " + what + " must fit " + bits + " bits, is " + Format.HEX.exact(high, value));
        }
    }

    String format(long high, long value, long maskHigh, long mask) {
        if (format == Format.FRAGMENT) {
            return Format.fragment(value, mask);
        }
        if (mask == fullMask && maskHigh == fullMaskHigh) {
            return format.exact(high, value);
        }
        return format.exact(high, value) + "/" + (format == Format.DECIMAL ? Format.HEX : format).exact(maskHigh, mask);
    }

    private static final class OxmClass {
        static final int OPENFLOW_BASIC = 0x8000;
        static final int NXM_1 = 0x0001;
        static final int ERICSSON = 0x1000;
    }

    private enum Format {
        DECIMAL,
        HEX,
        IPV4,
        IPV6,
        MAC,
        PORT,
        FRAGMENT;

        private static final int GROUPS = 8;

        String exact(long high, long value) {
            return switch (this) {
                case DECIMAL -> Long.toString(value);
                case HEX, FRAGMENT -> high == 0 ? "0x" + Long.toHexString(value) : "0x%x%016x".formatted(high, value);
                case IPV6 -> ipv6(high, value);
                case MAC -> new MacAddress(value).toString();
                case PORT -> Ports.format((int) value);
                case IPV4 ->
                    (value >>> 24) + "." + ((value >>> 16) & 0xff) + "." + ((value >>> 8) & 0xff) + "."
                            + (value & 0xff);
            };
        }

        /** The form of RFC 5952: the first longest run of two or more zero groups is cut. */
        private static String ipv6(long high, long low) {
            int cut = GROUPS;
            int length = 1;
            int run = 0;
            for (int group = 0; group < GROUPS; group++) {
                run = group(high, low, group) == 0 ? run + 1 : 0;
                if (run > length) {
                    cut = group + 1 - run;
                    length = run;
                }
            }
            if (cut == GROUPS) {
                return groups(high, low, 0, GROUPS);
            }
            return groups(high, low, 0, cut) + "::" + groups(high, low, cut + length, GROUPS);
        }

        private static String groups(long high, long low, int from, int to) {
            return IntStream.range(from, to)
                    .mapToObj(group -> Long.toHexString(group(high, low, group)))
                    .collect(Collectors.joining(":"));
        }

        private static long group(long high, long low, int index) {
            int shift = Long.SIZE - Short.SIZE * (index % (GROUPS / 2) + 1);
            return (index < GROUPS / 2 ? high : low) >>> shift & 0xffff;
        }

        /** Bit 0 says "is a fragment", bit 1 "is not the first". */
        static String fragment(long value, long mask) {
            if (mask == 3) {
                return value == 0 ? "no" : value == 1 ? "first" : "later";
            }
            if (mask == 1) {
                return value == 1 ? "yes" : "no";
            }
            return value == 0 ? "not_later" : "later";
        }
    }
}
