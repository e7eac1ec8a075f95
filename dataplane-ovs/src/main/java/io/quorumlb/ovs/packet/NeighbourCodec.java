package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Arrays;
import java.util.Optional;

/** Bytes of neighbour discovery messages (RFC 4861, sections 4.3, 4.4 and 4.6.1). */
final class NeighbourCodec {
    private static final int ETHERNET_BYTES = 14;
    private static final int IPV6_BYTES = 40;
    private static final int ICMP_AT = ETHERNET_BYTES + IPV6_BYTES;
    private static final int MESSAGE_BYTES = 24;
    private static final int OPTION_UNIT_BYTES = 8;
    private static final int ETHERTYPE_IPV6 = 0x86dd;
    private static final int IPV6_VERSION = 6;
    private static final int NEXT_HEADER_ICMPV6 = 58;

    /** Proof that no router forwarded the packet. */
    private static final int HOP_LIMIT = 255;

    private static final int ND_NEIGHBOR_SOLICIT = 135;
    private static final int ND_NEIGHBOR_ADVERT = 136;
    private static final int ND_OPT_SOURCE_LINKADDR = 1;
    private static final int ND_OPT_TARGET_LINKADDR = 2;
    private static final int FLAG_ROUTER = 0x8000_0000;
    private static final int FLAG_SOLICITED = 0x4000_0000;
    private static final int FLAG_OVERRIDE = 0x2000_0000;
    private static final int MULTICAST_OCTET = 0xff;

    private NeighbourCodec() {}

    static byte[] encode(NeighbourFrame frame) {
        byte[] bytes = switch (frame) {
            case NeighbourFrame.Solicitation it ->
                message(it, ND_NEIGHBOR_SOLICIT, 0, ND_OPT_SOURCE_LINKADDR, it.senderMac());
            case NeighbourFrame.Advertisement it ->
                message(it, ND_NEIGHBOR_ADVERT, flagBits(it.flags()), ND_OPT_TARGET_LINKADDR, it.targetMac());
        };
        int checksum = ~sum(bytes) & 0xffff;
        bytes[ICMP_AT + 2] = (byte) (checksum >>> 8);
        bytes[ICMP_AT + 3] = (byte) checksum;
        return bytes;
    }

    private static byte[] message(
            NeighbourFrame frame, int type, int flags, int optionType, Optional<MacAddress> linkAddress) {
        int payload = MESSAGE_BYTES + (linkAddress.isPresent() ? OPTION_UNIT_BYTES : 0);
        var out = new FrameWriter(ICMP_AT + payload)
                .mac(frame.destination())
                .mac(frame.source())
                .uint16(ETHERTYPE_IPV6)
                .uint32(IPV6_VERSION << 28)
                .uint16(payload)
                .octet(NEXT_HEADER_ICMPV6)
                .octet(HOP_LIMIT)
                .address(frame.sender())
                .address(frame.receiver())
                .octet(type)
                .octet(0)
                .uint16(0)
                .uint32(flags)
                .address(frame.target());
        linkAddress.ifPresent(mac -> out.octet(optionType).octet(1).mac(mac));
        return out.frame();
    }

    private static int flagBits(NeighbourFrame.Flags flags) {
        return (flags.router() ? FLAG_ROUTER : 0)
                | (flags.solicited() ? FLAG_SOLICITED : 0)
                | (flags.override() ? FLAG_OVERRIDE : 0);
    }

    static Optional<NeighbourFrame> decode(byte[] frame) {
        if (frame.length < ICMP_AT + MESSAGE_BYTES) {
            return Optional.empty();
        }
        var in = new FrameReader(frame);
        MacAddress destination = in.mac();
        MacAddress source = in.mac();
        if (in.uint16() != ETHERTYPE_IPV6 || in.uint32() >>> 28 != IPV6_VERSION) {
            return Optional.empty();
        }
        int payload = in.uint16();
        boolean plain = in.octet() == NEXT_HEADER_ICMPV6 && in.octet() == HOP_LIMIT;
        if (!plain || payload < MESSAGE_BYTES || frame.length < ICMP_AT + payload) {
            return Optional.empty();
        }
        if ((sum(frame) & 0xffff) != 0xffff) {
            return Optional.empty();
        }
        try {
            Ipv6Address sender = in.ipv6();
            Ipv6Address receiver = in.ipv6();
            int type = in.octet();
            int code = in.octet();
            in.uint16();
            int flags = in.uint32();
            Ipv6Address target = in.ipv6();
            if (code != 0 || target.high() >>> 56 == MULTICAST_OCTET || brokenOptions(frame, payload)) {
                return Optional.empty();
            }
            return switch (type) {
                case ND_NEIGHBOR_SOLICIT ->
                    Optional.of(new NeighbourFrame.Solicitation(
                            destination,
                            source,
                            sender,
                            receiver,
                            target,
                            option(frame, payload, ND_OPT_SOURCE_LINKADDR)));
                case ND_NEIGHBOR_ADVERT ->
                    Optional.of(new NeighbourFrame.Advertisement(
                            destination,
                            source,
                            sender,
                            receiver,
                            target,
                            option(frame, payload, ND_OPT_TARGET_LINKADDR),
                            new NeighbourFrame.Flags(
                                    (flags & FLAG_ROUTER) != 0,
                                    (flags & FLAG_SOLICITED) != 0,
                                    (flags & FLAG_OVERRIDE) != 0)));
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException e) {
            // An IPv4-mapped address: no neighbour has one.
            return Optional.empty();
        }
    }

    /** An option has a length of at least one unit and ends within the message. */
    private static boolean brokenOptions(byte[] frame, int payload) {
        int end = ICMP_AT + payload;
        int at = ICMP_AT + MESSAGE_BYTES;
        while (at + 1 < end) {
            int units = frame[at + 1] & 0xff;
            if (units == 0) {
                return true;
            }
            at += units * OPTION_UNIT_BYTES;
        }
        return at != end;
    }

    private static Optional<MacAddress> option(byte[] frame, int payload, int type) {
        int end = ICMP_AT + payload;
        for (int at = ICMP_AT + MESSAGE_BYTES; at < end; at += (frame[at + 1] & 0xff) * OPTION_UNIT_BYTES) {
            if ((frame[at] & 0xff) == type && frame[at + 1] == 1) {
                var in = new FrameReader(Arrays.copyOfRange(frame, at + 2, at + OPTION_UNIT_BYTES));
                return Optional.of(in.mac());
            }
        }
        return Optional.empty();
    }

    /** Sums pseudo-header and message in ones' complement, 16 bits (RFC 8200, section 8.1). */
    private static int sum(byte[] frame) {
        int payload = ((frame[ETHERNET_BYTES + 4] & 0xff) << 8) | (frame[ETHERNET_BYTES + 5] & 0xff);
        int sum = payload + NEXT_HEADER_ICMPV6;
        int end = ICMP_AT + payload;
        for (int at = ETHERNET_BYTES + 8; at < end; at++) {
            int octet = frame[at] & 0xff;
            sum += at % 2 == 0 ? octet << 8 : octet;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }
}
