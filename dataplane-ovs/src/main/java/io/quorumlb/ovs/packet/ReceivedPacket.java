package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.IpFamily;
import java.util.Arrays;
import java.util.Optional;

/**
 * A whole IP packet to one host from one host, as it came in; only its first bytes may be there. Addresses that no host
 * has for its own are no source.
 */
final class ReceivedPacket {
    static final int ETHERNET_BYTES = 14;

    private static final int ETHERTYPE_AT = 12;
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int ETHERTYPE_IPV6 = 0x86dd;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int FRAGMENT_BITS = 0x3fff;
    private static final int LOOPBACK_IPV4 = 127;
    private static final int MULTICAST_IPV4 = 224;
    private static final int MULTICAST_IPV6 = 0xff;

    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int EXTENSIONS_MAX = 8;
    private static final int EXTENSION_UNIT_BYTES = 8;

    private final byte[] frame;
    private final IpFamily family;
    private final int protocol;
    private final int transportAt;
    private final int end;

    private ReceivedPacket(byte[] frame, IpFamily family, int protocol, int transportAt, int end) {
        this.frame = frame;
        this.family = family;
        this.protocol = protocol;
        this.transportAt = transportAt;
        this.end = end;
    }

    /** Reads a frame; empty if it holds no such packet. */
    static Optional<ReceivedPacket> parse(byte[] frame) {
        if (frame.length < ETHERNET_BYTES || isGroup(frame, 0) || isGroup(frame, 6)) {
            return Optional.empty();
        }
        Optional<ReceivedPacket> packet = switch (uint16(frame, ETHERTYPE_AT)) {
            case ETHERTYPE_IPV4 -> ipv4(frame);
            case ETHERTYPE_IPV6 -> ipv6(frame);
            default -> Optional.empty();
        };
        return packet.filter(found -> isHost(found.source())
                && isHost(found.destination())
                && !Arrays.equals(found.source(), found.destination()));
    }

    private static boolean isGroup(byte[] frame, int macAt) {
        return (frame[macAt] & 1) != 0;
    }

    private static Optional<ReceivedPacket> ipv4(byte[] frame) {
        if (frame.length < ETHERNET_BYTES + IPV4_BYTES || octet(frame, ETHERNET_BYTES) >> 4 != 4) {
            return Optional.empty();
        }
        int header = (octet(frame, ETHERNET_BYTES) & 0xf) * 4;
        int length = uint16(frame, ETHERNET_BYTES + 2);
        boolean whole = (uint16(frame, ETHERNET_BYTES + 6) & FRAGMENT_BITS) == 0;
        int at = ETHERNET_BYTES + header;
        if (header < IPV4_BYTES || length < header || frame.length < at || !whole) {
            return Optional.empty();
        }
        if (InternetChecksum.of(Arrays.copyOfRange(frame, ETHERNET_BYTES, at)) != 0) {
            return Optional.empty();
        }
        return Optional.of(new ReceivedPacket(
                frame, IpFamily.IPV4, octet(frame, ETHERNET_BYTES + 9), at, ETHERNET_BYTES + length));
    }

    private static Optional<ReceivedPacket> ipv6(byte[] frame) {
        int at = ETHERNET_BYTES + IPV6_BYTES;
        if (frame.length < at || octet(frame, ETHERNET_BYTES) >> 4 != 6) {
            return Optional.empty();
        }
        int end = at + uint16(frame, ETHERNET_BYTES + 4);
        int protocol = octet(frame, ETHERNET_BYTES + 6);
        for (int passed = 0; isExtension(protocol); passed++) {
            int there = Math.min(end, frame.length);
            if (passed == EXTENSIONS_MAX || at + EXTENSION_UNIT_BYTES > there) {
                return Optional.empty();
            }
            protocol = octet(frame, at);
            at += (octet(frame, at + 1) + 1) * EXTENSION_UNIT_BYTES;
            if (at > there) {
                return Optional.empty();
            }
        }
        return Optional.of(new ReceivedPacket(frame, IpFamily.IPV6, protocol, at, end));
    }

    private static boolean isExtension(int protocol) {
        return protocol == HOP_BY_HOP || protocol == ROUTING || protocol == DESTINATION_OPTIONS;
    }

    private static boolean isHost(byte[] address) {
        int first = Byte.toUnsignedInt(address[0]);
        if (address.length == 4) {
            return first != 0 && first != LOOPBACK_IPV4 && first < MULTICAST_IPV4;
        }
        // Nor the unspecified address, nor that of the loopback.
        boolean high = false;
        for (int at = 0; at < address.length - 1; at++) {
            high |= address[at] != 0;
        }
        return first != MULTICAST_IPV6 && (high || Byte.toUnsignedInt(address[address.length - 1]) > 1);
    }

    IpFamily family() {
        return family;
    }

    /** Returns the number of the protocol above IP; that of a header in between which this program does not read. */
    int protocol() {
        return protocol;
    }

    byte[] destinationMac() {
        return Arrays.copyOfRange(frame, 0, 6);
    }

    byte[] sourceMac() {
        return Arrays.copyOfRange(frame, 6, ETHERTYPE_AT);
    }

    int etherType() {
        return uint16(frame, ETHERTYPE_AT);
    }

    byte[] source() {
        return switch (family) {
            case IPV4 -> Arrays.copyOfRange(frame, 26, 30);
            case IPV6 -> Arrays.copyOfRange(frame, 22, 38);
        };
    }

    byte[] destination() {
        return switch (family) {
            case IPV4 -> Arrays.copyOfRange(frame, 30, 34);
            case IPV6 -> Arrays.copyOfRange(frame, 38, 54);
        };
    }

    /** Returns how many bytes the packet has behind the IP headers, whether they are all there or not. */
    int transportLength() {
        return end - transportAt;
    }

    /** Returns the first bytes of the transport; empty if not so many are there. */
    Optional<FrameReader> transport(int bytes) {
        int to = transportAt + bytes;
        return to > Math.min(end, frame.length)
                ? Optional.empty()
                : Optional.of(new FrameReader(Arrays.copyOfRange(frame, transportAt, to)));
    }

    /** Returns the packet from its IP header on, as far as it is there, and no more than so many bytes. */
    byte[] quoted(int bytesMax) {
        int there = Math.min(end, frame.length) - ETHERNET_BYTES;
        return Arrays.copyOfRange(frame, ETHERNET_BYTES, ETHERNET_BYTES + Math.min(there, bytesMax));
    }

    private static int octet(byte[] frame, int at) {
        return Byte.toUnsignedInt(frame[at]);
    }

    private static int uint16(byte[] frame, int at) {
        return octet(frame, at) << 8 | octet(frame, at + 1);
    }
}
