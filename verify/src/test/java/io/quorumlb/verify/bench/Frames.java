package io.quorumlb.verify.bench;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;
import java.nio.ByteBuffer;

/**
 * Frames of 60 bytes (the least that Ethernet carries, its checksum apart) from many clients to one address and port, all checksums right: conntrack
 * ignores packets with wrong ones.
 *
 * @param source MAC address of the sender
 * @param target MAC address of the load balancer
 * @param vip destination
 * @param port destination port
 */
record Frames(MacAddress source, MacAddress target, Ipv4Address vip, int port) {
    static final int BYTES = 60;

    /** First address of 198.18.0.0/15, the range for benchmarks; members count and drop what comes from there. */
    private static final int CLIENTS = 198 << 24 | 18 << 16;

    private static final int CLIENTS_BITS = 10;
    private static final int PORT_MIN = 1024;
    private static final int ETHERNET = 14;
    private static final int IP = 20;
    private static final int PROTOCOL_TCP = 6;
    private static final int PROTOCOL_UDP = 17;
    private static final int WORD = 0xffff;

    /** What a frame carries. */
    enum Kind {
        /** An acknowledgement without data: a packet of a connection that is under way. */
        ACK(PROTOCOL_TCP, 0x10),
        /** A connection's first packet. */
        SYN(PROTOCOL_TCP, 0x02),
        /** A datagram of 18 zero bytes. */
        UDP(PROTOCOL_UDP, 0);

        private final int protocol;
        private final int flags;

        Kind(int protocol, int flags) {
            this.protocol = protocol;
            this.flags = flags;
        }
    }

    /**
     * Writes one frame at the buffer's position.
     *
     * @param flow which client address and port: distinct from 0 to 64 million
     */
    void write(ByteBuffer out, Kind kind, int flow) {
        int start = out.position();
        int client = CLIENTS + (flow & (1 << CLIENTS_BITS) - 1);
        int clientPort = PORT_MIN + (flow >>> CLIENTS_BITS);
        int length = kind == Kind.UDP ? BYTES - ETHERNET : 40;
        mac(out, target);
        mac(out, source);
        out.putShort((short) 0x0800);
        out.putShort((short) 0x4500).putShort((short) length).putInt(0x4000);
        out.put((byte) 64).put((byte) kind.protocol).putShort((short) 0);
        out.putInt(client).putInt(vip.bits());
        out.putShort((short) clientPort).putShort((short) port);
        if (kind == Kind.UDP) {
            out.putShort((short) (length - IP)).putShort((short) 0);
        } else {
            out.putInt(1).putInt(kind == Kind.ACK ? 1 : 0);
            out.put((byte) 0x50).put((byte) kind.flags).putShort((short) WORD).putInt(0);
        }
        while (out.position() < start + BYTES) {
            out.put((byte) 0);
        }
        int ip = start + ETHERNET;
        out.putShort(ip + 10, checksum(sum(out, ip, IP)));
        int pseudo = sum(out, ip + 12, 8) + kind.protocol + length - IP;
        int at = ip + IP + (kind == Kind.UDP ? 6 : 16);
        out.putShort(at, checksum(pseudo + sum(out, ip + IP, length - IP)));
    }

    private static void mac(ByteBuffer out, MacAddress mac) {
        out.putShort((short) (mac.value() >>> 32)).putInt((int) mac.value());
    }

    /** Returns the sum of the 16-bit words; lengths here are even. */
    private static int sum(ByteBuffer bytes, int from, int length) {
        int sum = 0;
        for (int at = from; at < from + length; at += 2) {
            sum += bytes.getShort(at) & WORD;
        }
        return sum;
    }

    private static short checksum(int sum) {
        int folded = (sum & WORD) + (sum >>> 16);
        return (short) ~((folded & WORD) + (folded >>> 16));
    }
}
