package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.Group.Selection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Groups as bytes (OpenFlow 1.5.1, 7.3.4.3 and 7.3.5.13; Netronome's extension for the selection method). */
final class GroupCodec {
    private static final int OFPGC_DELETE = 2;
    /** Open vSwitch's own: adds a group or replaces it. */
    private static final int OFPGC_ADD_OR_MOD = 0x8000;

    private static final int OFPGT_SELECT = 1;
    private static final int OFPG_BUCKET_ALL = 0xffff_ffff;
    private static final int OFPGBPT_WEIGHT = 0;
    private static final int OFPGPT_EXPERIMENTER = 0xffff;
    private static final int NTR_VENDOR_ID = 0x0000_154d;
    private static final int NTRT_SELECTION_METHOD = 1;
    private static final int METHOD_BYTES = 16;
    private static final int METHOD_PROPERTY_BYTES = 40;
    private static final String DP_HASH = "dp_hash";
    private static final int FIXED_LENGTH = 16;
    private static final int BUCKET_FIXED_LENGTH = 8;

    private GroupCodec() {}

    /** Writes a group-mod that adds a group or replaces the one of the same number. */
    static void put(Group group, int xid, ByteBuf out) {
        if (!(group.selection() instanceof Selection.DatapathHash hash)) {
            throw new IllegalArgumentException("only groups by the datapath's hash are written, not " + group);
        }
        int start = begin(OFPGC_ADD_OR_MOD, OFPGT_SELECT, group.id(), xid, out);
        int bucket = out.writerIndex();
        out.writeShort(0).writeShort(0).writeInt(0);
        group.actions().forEach(action -> ActionCodec.encode(action, out));
        out.setShort(bucket + 2, out.writerIndex() - bucket - BUCKET_FIXED_LENGTH);
        out.writeShort(OFPGBPT_WEIGHT).writeShort(8).writeShort(1).writeZero(2);
        out.setShort(bucket, out.writerIndex() - bucket);
        out.setShort(bucket - 8, out.writerIndex() - bucket);
        out.writeShort(OFPGPT_EXPERIMENTER).writeShort(METHOD_PROPERTY_BYTES);
        out.writeInt(NTR_VENDOR_ID).writeInt(NTRT_SELECTION_METHOD).writeZero(4);
        out.writeCharSequence(DP_HASH, StandardCharsets.US_ASCII);
        out.writeZero(METHOD_BYTES - DP_HASH.length());
        out.writeLong(hash.parameter());
        Wire.finish(out, start);
    }

    /** Writes a group-mod that deletes a group, and with it all flows that use it. */
    static void delete(int group, int xid, ByteBuf out) {
        Wire.finish(out, begin(OFPGC_DELETE, 0, group, xid, out));
    }

    private static int begin(int command, int type, int group, int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_GROUP_MOD, xid);
        out.writeShort(command).writeByte(type).writeZero(1).writeInt(group);
        out.writeShort(0).writeZero(2).writeInt(OFPG_BUCKET_ALL);
        return start;
    }

    /**
     * Reads descriptions until the end of the part.
     *
     * @throws MalformedMessageException if a length is wrong
     */
    static List<Group> decodeAll(ByteBuf in) {
        var groups = new ArrayList<Group>();
        while (in.isReadable()) {
            int length = in.readableBytes() < 2 ? 0 : in.getUnsignedShort(in.readerIndex());
            if (length < FIXED_LENGTH) {
                throw new MalformedMessageException(
                        "group description length must be at least " + FIXED_LENGTH + ", is " + length);
            }
            ByteBuf entry = Wire.part(in, length, "group description");
            int id = entry.getInt(entry.readerIndex() + 4);
            String bytes = ByteBufUtil.hexDump(entry);
            groups.add(decode(entry, id).orElseGet(() -> new Group(id, new Selection.Unrecognised(bytes), List.of())));
        }
        return groups;
    }

    /** Reads a group of the one form this program writes. */
    private static Optional<Group> decode(ByteBuf in, int id) {
        in.skipBytes(2);
        int type = in.readUnsignedByte();
        in.skipBytes(5);
        int bucketsLength = in.readUnsignedShort();
        in.skipBytes(6);
        ByteBuf buckets = Wire.part(in, bucketsLength, "buckets");
        if (type != OFPGT_SELECT || buckets.readableBytes() < BUCKET_FIXED_LENGTH) {
            return Optional.empty();
        }
        int length = buckets.readUnsignedShort();
        int actionsLength = buckets.readUnsignedShort();
        buckets.skipBytes(4);
        if (length != bucketsLength) {
            return Optional.empty();
        }
        var actions = ActionCodec.decodeAll(Wire.part(buckets, actionsLength, "actions of a bucket"));
        return method(in).map(hash -> new Group(id, hash, actions));
    }

    private static Optional<Selection> method(ByteBuf in) {
        if (in.readableBytes() != METHOD_PROPERTY_BYTES
                || in.readUnsignedShort() != OFPGPT_EXPERIMENTER
                || in.readUnsignedShort() != METHOD_PROPERTY_BYTES
                || in.readInt() != NTR_VENDOR_ID
                || in.readInt() != NTRT_SELECTION_METHOD) {
            return Optional.empty();
        }
        in.skipBytes(4);
        String name = in.readCharSequence(METHOD_BYTES, StandardCharsets.US_ASCII)
                .toString()
                .replace("\0", "");
        long parameter = in.readLong();
        boolean ours = name.equals(DP_HASH) && (parameter & 0xffff_0000L) == 0;
        return ours
                ? Optional.of(new Selection.DatapathHash((int) (parameter >>> 32), (int) parameter & 0xffff))
                : Optional.empty();
    }
}
