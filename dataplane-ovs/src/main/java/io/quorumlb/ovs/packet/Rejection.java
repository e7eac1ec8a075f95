package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.IpFamily;
import java.util.Optional;

/** What a host says to a packet for a port that nobody serves: a reset of TCP, else an ICMP port unreachable. */
public final class Rejection {
    private static final int ICMP = 1;
    private static final int IGMP = 2;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int FRAGMENT = 44;
    private static final int ICMPV6 = 58;
    private static final int NO_NEXT_HEADER = 59;

    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int TCP_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int ICMP_BYTES = 8;
    private static final int TTL = 64;
    private static final int DONT_FRAGMENT = 0x4000;

    private static final int FIN = 1;
    private static final int SYN = 1 << 1;
    private static final int RST = 1 << 2;
    private static final int ACK = 1 << 4;
    private static final int HEADER_WITHOUT_OPTIONS = 0x5000;

    /** RFC 1812, section 4.3.2.3. */
    private static final int QUOTED_IPV4_MAX = 576 - IPV4_BYTES - ICMP_BYTES;

    /** RFC 4443, section 2.4 (c). */
    private static final int QUOTED_IPV6_MAX = 1280 - IPV6_BYTES - ICMP_BYTES;

    private static final int PORT_UNREACHABLE_IPV4 = 0x0303;
    private static final int PORT_UNREACHABLE_IPV6 = 0x0104;

    private final ReceivedPacket packet;

    private Rejection(ReceivedPacket packet) {
        this.packet = packet;
    }

    /**
     * Returns the frame to send back, from the packet's destination, with its checksums. Empty if a packet must not be
     * answered: a reset, any ICMP, a fragment, one from or to a group, one that is damaged or too short.
     *
     * @param frame any bytes; of a long packet the first ones do
     */
    public static Optional<byte[]> of(byte[] frame) {
        return ReceivedPacket.parse(frame).flatMap(packet -> new Rejection(packet).answer());
    }

    private Optional<byte[]> answer() {
        return switch (packet.protocol()) {
            case TCP -> reset().map(segment -> framed(TCP, 16, segment));
            case UDP -> packet.transport(UDP_BYTES).map(_ -> unreachable());
            case ICMP, IGMP, FRAGMENT, ICMPV6, NO_NEXT_HEADER -> Optional.empty();
            default -> Optional.of(unreachable());
        };
    }

    /** Returns the segment without checksum (RFC 9293, section 3.10.7.1). */
    private Optional<byte[]> reset() {
        Optional<FrameReader> there = packet.transport(TCP_BYTES);
        if (there.isEmpty()) {
            return Optional.empty();
        }
        FrameReader segment = there.get();
        int sourcePort = segment.uint16();
        int destinationPort = segment.uint16();
        int sequence = segment.uint32();
        int acknowledged = segment.uint32();
        int headerBytes = (segment.octet() >> 4) * 4;
        int flags = segment.octet();
        int payload = packet.transportLength() - headerBytes;
        if (headerBytes < TCP_BYTES || payload < 0 || (flags & RST) != 0) {
            return Optional.empty();
        }
        var out = new FrameWriter(TCP_BYTES).uint16(destinationPort).uint16(sourcePort);
        if ((flags & ACK) != 0) {
            out.uint32(acknowledged).uint32(0).uint16(HEADER_WITHOUT_OPTIONS | RST);
        } else {
            int next = sequence + payload + ((flags & SYN) == 0 ? 0 : 1) + ((flags & FIN) == 0 ? 0 : 1);
            out.uint32(0).uint32(next).uint16(HEADER_WITHOUT_OPTIONS | RST | ACK);
        }
        return Optional.of(out.frame());
    }

    private byte[] unreachable() {
        boolean four = packet.family() == IpFamily.IPV4;
        byte[] quoted = packet.quoted(four ? QUOTED_IPV4_MAX : QUOTED_IPV6_MAX);
        byte[] message = new FrameWriter(ICMP_BYTES + quoted.length)
                .uint16(four ? PORT_UNREACHABLE_IPV4 : PORT_UNREACHABLE_IPV6)
                .uint16(0)
                .uint32(0)
                .octets(quoted)
                .frame();
        return framed(four ? ICMP : ICMPV6, 2, message);
    }

    /** Returns the frame with a message whose checksum, still zero, is so many bytes from its beginning. */
    private byte[] framed(int protocol, int checksumAt, byte[] message) {
        // Of all these only ICMP of IPv4 has no part in the addresses.
        int checksum = InternetChecksum.of(
                protocol == ICMP
                        ? message
                        : InternetChecksum.pseudo(packet.destination(), packet.source(), protocol, message));
        message[checksumAt] = (byte) (checksum >>> 8);
        message[checksumAt + 1] = (byte) checksum;
        byte[] header = switch (packet.family()) {
            case IPV4 -> ipv4(protocol, message.length, InternetChecksum.of(ipv4(protocol, message.length, 0)));
            case IPV6 -> ipv6(protocol, message.length);
        };
        return new FrameWriter(ReceivedPacket.ETHERNET_BYTES + header.length + message.length)
                .octets(packet.sourceMac())
                .octets(packet.destinationMac())
                .uint16(packet.etherType())
                .octets(header)
                .octets(message)
                .frame();
    }

    private byte[] ipv4(int protocol, int payload, int checksum) {
        return new FrameWriter(IPV4_BYTES)
                .uint16(0x4500)
                .uint16(IPV4_BYTES + payload)
                .uint16(0)
                .uint16(DONT_FRAGMENT)
                .octet(TTL)
                .octet(protocol)
                .uint16(checksum)
                .octets(packet.destination())
                .octets(packet.source())
                .frame();
    }

    private byte[] ipv6(int protocol, int payload) {
        return new FrameWriter(IPV6_BYTES)
                .uint32(0x6000_0000)
                .uint16(payload)
                .octet(protocol)
                .octet(TTL)
                .octets(packet.destination())
                .octets(packet.source())
                .frame();
    }
}
