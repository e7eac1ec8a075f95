package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Actions as bytes (OpenFlow 1.5.1, 7.2.6; Nicira extensions for multipath and resubmit). */
final class ActionCodec {
    static final int OFPAT_OUTPUT = 0;
    static final int OFPAT_GROUP = 22;
    static final int OFPAT_DEC_NW_TTL = 24;
    static final int OFPAT_SET_FIELD = 25;
    static final int OFPAT_COPY_FIELD = 28;
    static final int OFPAT_METER = 29;
    static final int OFPAT_EXPERIMENTER = 0xffff;

    private static final int NX_VENDOR_ID = 0x0000_2320;
    private static final int NXAST_MULTIPATH = 10;
    private static final int NXAST_RESUBMIT_TABLE = 14;
    private static final int OFPP_IN_PORT_16 = 0xfff8;
    private static final int OFPTT_CURRENT = 0xff;
    private static final int RESUBMIT_LENGTH = 16;
    private static final int NX_MP_ALG_MODULO_N = 0;
    private static final int MULTIPATH_LENGTH = 32;
    private static final int LENGTH_MIN = 8;

    private ActionCodec() {}

    /** Writes an action, padded to eight bytes. */
    static void encode(Action action, ByteBuf out) {
        switch (action) {
            case Action.Output(int port) -> output(port, 0, out);
            case Action.InPort() -> output(Wire.OFPP_IN_PORT, 0, out);
            case Action.Controller(int bytes) -> output(Wire.OFPP_CONTROLLER, bytes, out);
            case Action.ToGroup(int id) ->
                out.writeShort(OFPAT_GROUP).writeShort(8).writeInt(id);
            case Action.ToMeter(int id) ->
                out.writeShort(OFPAT_METER).writeShort(8).writeInt(id);
            case Action.Resubmit(int table) -> {
                out.writeShort(OFPAT_EXPERIMENTER).writeShort(RESUBMIT_LENGTH);
                out.writeInt(NX_VENDOR_ID).writeShort(NXAST_RESUBMIT_TABLE);
                out.writeShort(OFPP_IN_PORT_16).writeByte(table).writeZero(3);
            }
            case Action.DecTtl() ->
                out.writeShort(OFPAT_DEC_NW_TTL).writeShort(8).writeZero(4);
            case Action.SetField(Field field, long high, long value, long maskHigh, long mask) -> {
                int start = begin(OFPAT_SET_FIELD, out);
                OxmCodec.encode(new Match.Term(field, high, value, maskHigh, mask), out);
                finish(start, out);
            }
            case Action.Move move -> {
                int start = begin(OFPAT_COPY_FIELD, out);
                out.writeShort(move.bits()).writeShort(move.sourceOffset()).writeShort(move.destinationOffset());
                out.writeZero(2);
                out.writeInt(OxmCodec.header(move.source())).writeInt(OxmCodec.header(move.destination()));
                finish(start, out);
            }
            case Action.Multipath(var fields, int basis, int maxLink, Field register) -> {
                out.writeShort(OFPAT_EXPERIMENTER).writeShort(MULTIPATH_LENGTH);
                out.writeInt(NX_VENDOR_ID).writeShort(NXAST_MULTIPATH);
                out.writeShort(fields.number()).writeShort(basis).writeZero(2);
                out.writeShort(NX_MP_ALG_MODULO_N)
                        .writeShort(maxLink)
                        .writeInt(0)
                        .writeZero(2);
                // Offset in the high ten bits, width minus one in the low six: the whole register.
                out.writeShort(register.bits() - 1).writeInt(OxmCodec.header(register));
            }
            case Action.Unrecognised(String bytes) -> out.writeBytes(ByteBufUtil.decodeHexDump(bytes));
        }
    }

    private static void output(int port, int bytesToController, ByteBuf out) {
        out.writeShort(OFPAT_OUTPUT).writeShort(16).writeInt(port);
        out.writeShort(bytesToController).writeZero(6);
    }

    private static int begin(int type, ByteBuf out) {
        int start = out.writerIndex();
        out.writeShort(type).writeShort(0);
        return start;
    }

    private static void finish(int start, ByteBuf out) {
        Wire.pad(out, start);
        out.setShort(start + 2, out.writerIndex() - start);
    }

    /**
     * Reads actions until the end of the part. Actions this program never writes are kept as they are.
     *
     * @throws MalformedMessageException if a length is wrong
     */
    static List<Action> decodeAll(ByteBuf in) {
        var actions = new ArrayList<Action>();
        while (in.isReadable()) {
            ByteBuf action = Wire.typed(in, LENGTH_MIN, "action");
            int start = action.readerIndex();
            int length = action.readableBytes();
            Optional<Action> known = decode(action);
            actions.add(known.orElseGet(() -> new Action.Unrecognised(ByteBufUtil.hexDump(action, start, length))));
        }
        return actions;
    }

    private static Optional<Action> decode(ByteBuf in) {
        int type = in.readUnsignedShort();
        in.skipBytes(2);
        return switch (type) {
            case OFPAT_OUTPUT -> decodeOutput(in);
            case OFPAT_DEC_NW_TTL -> Optional.of(new Action.DecTtl());
            case OFPAT_SET_FIELD ->
                OxmCodec.decode(OxmCodec.oxm(in))
                        .map(term -> new Action.SetField(
                                term.field(), term.high(), term.value(), term.maskHigh(), term.mask()));
            case OFPAT_COPY_FIELD -> decodeMove(in);
            case OFPAT_GROUP -> Optional.of(new Action.ToGroup(in.readInt()));
            case OFPAT_METER -> Optional.of(new Action.ToMeter(in.readInt()));
            case OFPAT_EXPERIMENTER -> decodeNicira(in);
            default -> Optional.empty();
        };
    }

    private static Optional<Action> decodeOutput(ByteBuf in) {
        int port = in.readInt();
        int bytesToController = in.readUnsignedShort();
        if (port == Wire.OFPP_CONTROLLER && bytesToController > 0) {
            return Optional.of(new Action.Controller(bytesToController));
        }
        if (bytesToController != 0) {
            return Optional.empty();
        }
        return Optional.of(port == Wire.OFPP_IN_PORT ? new Action.InPort() : new Action.Output(port));
    }

    private static Optional<Action> decodeMove(ByteBuf in) {
        int bits = in.readUnsignedShort();
        int sourceOffset = in.readUnsignedShort();
        int destinationOffset = in.readUnsignedShort();
        in.skipBytes(2);
        Optional<Field> source = OxmCodec.field(in.readInt());
        if (source.isEmpty()) {
            return Optional.empty();
        }
        return OxmCodec.field(in.readInt())
                .map(destination -> new Action.Move(source.get(), sourceOffset, destination, destinationOffset, bits));
    }

    private static Optional<Action> decodeNicira(ByteBuf in) {
        if (in.readInt() != NX_VENDOR_ID) {
            return Optional.empty();
        }
        return switch (in.readUnsignedShort()) {
            case NXAST_MULTIPATH -> decodeMultipath(in);
            case NXAST_RESUBMIT_TABLE -> decodeResubmit(in);
            default -> Optional.empty();
        };
    }

    private static Optional<Action> decodeResubmit(ByteBuf in) {
        if (in.readUnsignedShort() != OFPP_IN_PORT_16) {
            return Optional.empty();
        }
        int table = in.readUnsignedByte();
        return table == OFPTT_CURRENT ? Optional.empty() : Optional.of(new Action.Resubmit(table));
    }

    private static Optional<Action> decodeMultipath(ByteBuf in) {
        if (in.readableBytes() != MULTIPATH_LENGTH - 10) {
            return Optional.empty();
        }
        int number = in.readUnsignedShort();
        Optional<Action.PacketFields> fields = Stream.of(Action.PacketFields.values())
                .filter(known -> known.number() == number)
                .findFirst();
        if (fields.isEmpty()) {
            return Optional.empty();
        }
        int basis = in.readUnsignedShort();
        in.skipBytes(2);
        int algorithm = in.readUnsignedShort();
        int maxLink = in.readUnsignedShort();
        int argument = in.readInt();
        in.skipBytes(2);
        int offsetAndBits = in.readUnsignedShort();
        if (algorithm != NX_MP_ALG_MODULO_N || argument != 0) {
            return Optional.empty();
        }
        return OxmCodec.field(in.readInt())
                .filter(register -> offsetAndBits == register.bits() - 1)
                .map(register -> new Action.Multipath(fields.get(), basis, maxLink, register));
    }
}
