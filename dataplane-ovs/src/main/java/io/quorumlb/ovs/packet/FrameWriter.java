package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;

/** Writes a frame of known length field by field, in network order. */
final class FrameWriter {
    private final byte[] bytes;
    private int at;

    FrameWriter(int length) {
        bytes = new byte[length];
    }

    FrameWriter octet(int value) {
        bytes[at++] = (byte) value;
        return this;
    }

    FrameWriter uint16(int value) {
        return octet(value >>> 8).octet(value);
    }

    FrameWriter uint32(int value) {
        return uint16(value >>> 16).uint16(value);
    }

    FrameWriter mac(MacAddress mac) {
        return uint16((int) (mac.value() >>> 32)).uint32((int) mac.value());
    }

    FrameWriter address(IpAddress address) {
        return octets(address.bytes());
    }

    FrameWriter octets(byte[] octets) {
        System.arraycopy(octets, 0, bytes, at, octets.length);
        at += octets.length;
        return this;
    }

    /** Leaves the rest zero and returns the frame. */
    byte[] frame() {
        return bytes;
    }
}
