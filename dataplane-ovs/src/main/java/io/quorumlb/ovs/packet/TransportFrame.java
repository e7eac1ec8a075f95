package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.MacAddress;

/**
 * An Ethernet frame with the first packet of a TCP connection or an empty UDP datagram, untagged.
 *
 * @param destination Ethernet destination
 * @param source Ethernet source
 * @param from IP source
 * @param to IP destination, of the same family
 * @param protocol 6 for TCP, 17 for UDP
 * @param sourcePort 0..65535
 * @param destinationPort 0..65535
 */
public record TransportFrame(
        MacAddress destination,
        MacAddress source,
        IpAddress from,
        IpAddress to,
        int protocol,
        int sourcePort,
        int destinationPort) {
    private static final int ETHERNET_BYTES = 14;
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int ETHERTYPE_IPV6 = 0x86dd;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int TCP_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int TTL = 64;
    private static final int TCP_HEADER_AND_SYN = 0x5002;
    private static final int WINDOW = 1024;

    /** Checks the protocol. */
    public TransportFrame {
        if (protocol != TCP && protocol != UDP) {
            throw new IllegalArgumentException("protocol must be 6 or 17, is " + protocol);
        }
    }

    /** Returns the frame with its checksums, without check sequence and padding. */
    public byte[] bytes() {
        byte[] transport = transport(0);
        int checksum = InternetChecksum.of(InternetChecksum.pseudo(from.bytes(), to.bytes(), protocol, transport));
        // A datagram whose checksum is zero says so by all ones.
        transport = transport(protocol == UDP && checksum == 0 ? 0xffff : checksum);
        byte[] header = from.family() == IpFamily.IPV4
                ? ipv4(transport.length, InternetChecksum.of(ipv4(transport.length, 0)))
                : ipv6(transport.length);
        return new FrameWriter(ETHERNET_BYTES + header.length + transport.length)
                .mac(destination)
                .mac(source)
                .uint16(from.family() == IpFamily.IPV4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6)
                .octets(header)
                .octets(transport)
                .frame();
    }

    private byte[] transport(int checksum) {
        if (protocol == UDP) {
            return new FrameWriter(UDP_BYTES)
                    .uint16(sourcePort)
                    .uint16(destinationPort)
                    .uint16(UDP_BYTES)
                    .uint16(checksum)
                    .frame();
        }
        return new FrameWriter(TCP_BYTES)
                .uint16(sourcePort)
                .uint16(destinationPort)
                .uint32(0)
                .uint32(0)
                .uint16(TCP_HEADER_AND_SYN)
                .uint16(WINDOW)
                .uint16(checksum)
                .frame();
    }

    private byte[] ipv4(int payload, int checksum) {
        return new FrameWriter(IPV4_BYTES)
                .uint16(0x4500)
                .uint16(IPV4_BYTES + payload)
                .uint32(0)
                .octet(TTL)
                .octet(protocol)
                .uint16(checksum)
                .address(from)
                .address(to)
                .frame();
    }

    private byte[] ipv6(int payload) {
        return new FrameWriter(IPV6_BYTES)
                .uint32(0x6000_0000)
                .uint16(payload)
                .octet(protocol)
                .octet(TTL)
                .address(from)
                .address(to)
                .frame();
    }
}
