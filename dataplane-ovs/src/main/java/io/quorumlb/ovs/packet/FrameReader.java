package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.MacAddress;

/** Reads fields in network order; the caller has checked that the frame is long enough. */
final class FrameReader {
    private final byte[] bytes;
    private int at;

    FrameReader(byte[] bytes) {
        this.bytes = bytes;
    }

    int octet() {
        return bytes[at++] & 0xff;
    }

    int uint16() {
        int high = octet();
        return (high << 8) | octet();
    }

    int uint32() {
        int high = uint16();
        return (high << 16) | uint16();
    }

    private long uint64() {
        long high = uint32();
        return (high << 32) | (uint32() & 0xffff_ffffL);
    }

    MacAddress mac() {
        long high = uint16();
        return new MacAddress((high << 32) | (uint32() & 0xffff_ffffL));
    }

    Ipv4Address ipv4() {
        return new Ipv4Address(uint32());
    }

    /** Throws {@link IllegalArgumentException} for an IPv4-mapped address. */
    Ipv6Address ipv6() {
        long high = uint64();
        return new Ipv6Address(high, uint64());
    }
}
