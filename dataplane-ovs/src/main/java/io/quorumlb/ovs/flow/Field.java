package io.quorumlb.ovs.flow;

/**
 * A packet field or register that flows match, set or move, with its OXM/NXM identity and its name in Open vSwitch.
 *
 * <p>The order is canonical: a field stands behind those it needs ({@code tcp_dst} behind {@code ip_proto} behind
 * {@code eth_type}), because the switch checks prerequisites while it reads. Values are at most 64 bits wide; a wider
 * field (IPv6) comes with a second word in {@link Match.Term} and {@link Action.SetField}.
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
    TCP_SRC("tcp_src", OxmClass.OPENFLOW_BASIC, 13, 16, Format.DECIMAL),
    TCP_DST("tcp_dst", OxmClass.OPENFLOW_BASIC, 14, 16, Format.DECIMAL),
    UDP_SRC("udp_src", OxmClass.OPENFLOW_BASIC, 15, 16, Format.DECIMAL),
    UDP_DST("udp_dst", OxmClass.OPENFLOW_BASIC, 16, 16, Format.DECIMAL),
    ICMPV4_TYPE("icmp_type", OxmClass.OPENFLOW_BASIC, 19, 8, Format.DECIMAL),
    ICMPV4_CODE("icmp_code", OxmClass.OPENFLOW_BASIC, 20, 8, Format.DECIMAL),
    ARP_OP("arp_op", OxmClass.OPENFLOW_BASIC, 21, 16, Format.DECIMAL),
    ARP_SPA("arp_spa", OxmClass.OPENFLOW_BASIC, 22, 32, Format.IPV4),
    ARP_TPA("arp_tpa", OxmClass.OPENFLOW_BASIC, 23, 32, Format.IPV4),
    ARP_SHA("arp_sha", OxmClass.OPENFLOW_BASIC, 24, 48, Format.MAC),
    ARP_THA("arp_tha", OxmClass.OPENFLOW_BASIC, 25, 48, Format.MAC),
    REG0("reg0", OxmClass.NXM_1, 0, 32, Format.HEX),
    REG1("reg1", OxmClass.NXM_1, 1, 32, Format.HEX),
    REG2("reg2", OxmClass.NXM_1, 2, 32, Format.HEX),
    REG3("reg3", OxmClass.NXM_1, 3, 32, Format.HEX),
    REG9("reg9", OxmClass.NXM_1, 9, 32, Format.HEX),
    /** The datapath's hash, in a bucket of a group that asks for it; no flow may match it. */
    DP_HASH("dp_hash", OxmClass.NXM_1, 35, 32, Format.HEX);

    private final String ovsName;
    private final int oxmClass;
    private final int number;
    private final int bits;
    private final Format format;

    Field(String ovsName, int oxmClass, int number, int bits, Format format) {
        this.ovsName = ovsName;
        this.oxmClass = oxmClass;
        this.number = number;
        this.bits = bits;
        this.format = format;
    }

    /** Returns the name in the syntax of {@code ovs-ofctl}, for example {@code nw_dst}. */
    public String ovsName() {
        return ovsName;
    }

    /** Returns the class of the OXM header: 0x8000 is OpenFlow basic, 1 is Nicira. */
    public int oxmClass() {
        return oxmClass;
    }

    /** Returns the number within the class, 0..127. */
    public int number() {
        return number;
    }

    /** Returns the width in bits, 1..64. */
    public int bits() {
        return bits;
    }

    /** Returns the width on the wire in bytes, 1..8. */
    public int bytes() {
        return (bits + 7) / 8;
    }

    /** Returns the mask that covers the whole field. */
    public long fullMask() {
        return -1L >>> (64 - bits);
    }

    long checked(String what, long value) {
        if ((value & ~fullMask()) != 0) {
            throw new IllegalArgumentException(
                    ovsName + ": " + what + " must fit " + bits + " bits, is 0x" + Long.toHexString(value));
        }
        return value;
    }

    String format(long value, long mask) {
        if (format == Format.FRAGMENT) {
            return Format.fragment(value, mask);
        }
        if (mask == fullMask()) {
            return format.exact(value);
        }
        return format.exact(value) + "/" + (format == Format.DECIMAL ? Format.HEX : format).exact(mask);
    }

    private static final class OxmClass {
        static final int OPENFLOW_BASIC = 0x8000;
        static final int NXM_1 = 0x0001;
    }

    private enum Format {
        DECIMAL,
        HEX,
        IPV4,
        MAC,
        PORT,
        FRAGMENT;

        String exact(long value) {
            return switch (this) {
                case DECIMAL -> Long.toString(value);
                case HEX, FRAGMENT -> "0x" + Long.toHexString(value);
                case MAC -> new MacAddress(value).toString();
                case PORT -> Ports.format((int) value);
                case IPV4 ->
                    (value >>> 24) + "." + ((value >>> 16) & 0xff) + "." + ((value >>> 8) & 0xff) + "."
                            + (value & 0xff);
            };
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
