package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;

/** Numbers of the OpenFlow 1.5.1 specification, with their names there, and arithmetic all codecs share. */
final class Wire {
    static final int VERSION = 6;
    static final int HEADER_LENGTH = 8;
    static final int MESSAGE_LENGTH_MAX = 0xffff;

    static final int OFPT_HELLO = 0;
    static final int OFPT_ERROR = 1;
    static final int OFPT_ECHO_REQUEST = 2;
    static final int OFPT_ECHO_REPLY = 3;
    static final int OFPT_EXPERIMENTER = 4;
    static final int OFPT_FEATURES_REQUEST = 5;
    static final int OFPT_FEATURES_REPLY = 6;
    static final int OFPT_SET_CONFIG = 9;
    static final int OFPT_PACKET_IN = 10;
    static final int OFPT_FLOW_REMOVED = 11;
    static final int OFPT_PORT_STATUS = 12;
    static final int OFPT_PACKET_OUT = 13;
    static final int OFPT_FLOW_MOD = 14;
    static final int OFPT_GROUP_MOD = 15;
    static final int OFPT_MULTIPART_REQUEST = 18;
    static final int OFPT_MULTIPART_REPLY = 19;
    static final int OFPT_BARRIER_REQUEST = 20;
    static final int OFPT_BARRIER_REPLY = 21;
    static final int OFPT_METER_MOD = 29;
    static final int OFPT_ROLE_STATUS = 30;
    static final int OFPT_TABLE_STATUS = 31;
    static final int OFPT_REQUESTFORWARD = 32;
    static final int OFPT_BUNDLE_CONTROL = 33;
    static final int OFPT_BUNDLE_ADD_MESSAGE = 34;
    static final int OFPT_CONTROLLER_STATUS = 35;

    static final int OFPMP_FLOW_DESC = 1;
    static final int OFPMP_GROUP_DESC = 7;
    static final int OFPMP_PORT_DESC = 13;
    static final int OFPMP_FLOW_MONITOR = 16;
    static final int OFPMPF_REPLY_MORE = 1;

    static final int OFPP_IN_PORT = 0xffff_fff8;
    static final int OFPP_CONTROLLER = 0xffff_fffd;
    static final int OFPP_ANY = 0xffff_ffff;
    static final int OFPG_ANY = 0xffff_ffff;
    static final int OFPG_ALL = 0xffff_fffc;
    static final int OFPTT_ALL = 0xff;
    static final int OFP_NO_BUFFER = 0xffff_ffff;
    static final int OFPMT_OXM = 1;

    static final int OFPXMC_EXPERIMENTER = 0xffff;

    private Wire() {}

    /** Returns the length filled up to whole groups of eight bytes. */
    static int padded(int length) {
        return (length + 7) & ~7;
    }

    /** Writes zeros until the bytes since a position are whole groups of eight. */
    static void pad(ByteBuf out, int start) {
        int length = out.writerIndex() - start;
        out.writeZero(padded(length) - length);
    }

    /** Writes a header whose length {@link #finish} fills in; returns the position of the header. */
    static int begin(ByteBuf out, int type, int xid) {
        int start = out.writerIndex();
        out.writeByte(VERSION).writeByte(type).writeShort(0).writeInt(xid);
        return start;
    }

    /**
     * Fills in the length of the message that began at a position.
     *
     * @throws IllegalArgumentException if the message is too long for its header
     */
    static void finish(ByteBuf out, int start) {
        int length = out.writerIndex() - start;
        if (length > MESSAGE_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "an OpenFlow message holds at most " + MESSAGE_LENGTH_MAX + " bytes, this one has " + length);
        }
        out.setShort(start + 2, length);
    }

    /** Writes the low bytes of a value, highest first; none for zero bytes. */
    static void writeUnsigned(ByteBuf out, long value, int bytes) {
        for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
            out.writeByte((int) (value >>> shift));
        }
    }

    /** Reads up to eight bytes as one number, highest first. */
    static long readUnsigned(ByteBuf in, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = (value << 8) | in.readUnsignedByte();
        }
        return value;
    }

    /**
     * Takes the next bytes as a part of their own.
     *
     * @throws MalformedMessageException if there are fewer
     */
    static ByteBuf part(ByteBuf in, int length, String what) {
        if (length < 0 || length > in.readableBytes()) {
            throw new MalformedMessageException(
                    what + " needs " + length + " bytes, the message has " + in.readableBytes() + " left");
        }
        return in.readSlice(length);
    }

    /**
     * Takes a part that begins with a two-byte type and a two-byte length that covers both.
     *
     * @throws MalformedMessageException if the length is below the minimum or beyond the message
     */
    static ByteBuf typed(ByteBuf in, int lengthMin, String what) {
        if (in.readableBytes() < 4) {
            throw new MalformedMessageException(
                    what + " needs 4 bytes, the message has " + in.readableBytes() + " left");
        }
        int length = in.getUnsignedShort(in.readerIndex() + 2);
        if (length < lengthMin) {
            throw new MalformedMessageException(what + " length must be at least " + lengthMin + ", is " + length);
        }
        return part(in, length, what);
    }
}
