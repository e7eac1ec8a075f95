package io.quorumlb.ovs.packet;

/** The checksum of IP, ICMP, TCP and UDP (RFC 1071). */
final class InternetChecksum {
    private InternetChecksum() {}

    /** Returns the checksum of at most 128 KiB, 0..65535; of bytes that hold their right checksum it is 0. */
    static int of(byte[] bytes) {
        long sum = 0;
        for (int at = 0; at < bytes.length; at += 2) {
            sum += Byte.toUnsignedInt(bytes[at]) << 8 | (at + 1 < bytes.length ? Byte.toUnsignedInt(bytes[at + 1]) : 0);
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        sum = (sum & 0xffff) + (sum >>> 16);
        return (int) (~sum & 0xffff);
    }

    /**
     * Returns what the checksum of a transport goes over: a header of addresses, length and protocol, then the message.
     *
     * @param from address that the packet comes from, 4 or 16 bytes
     * @param to address that it goes to, of the same length
     * @param protocol number of the transport
     */
    static byte[] pseudo(byte[] from, byte[] to, int protocol, byte[] message) {
        return new FrameWriter(from.length + to.length + 8 + message.length)
                .octets(from)
                .octets(to)
                .uint32(message.length)
                .uint32(protocol)
                .octets(message)
                .frame();
    }
}
