package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.Meter;
import java.util.List;

/** Requests as bytes, each appended to a buffer; flow-mods are in {@link FlowModEncoder}. */
final class RequestEncoder {
    private static final Match FROM_CONTROLLER =
            Match.of().with(Field.IN_PORT, Integer.toUnsignedLong(Wire.OFPP_CONTROLLER));
    private static final int OFPBF_ATOMIC = 1;
    private static final int OFPBF_ORDERED = 2;
    private static final int BUNDLE_FLAGS = OFPBF_ATOMIC | OFPBF_ORDERED;
    /** One monitor per connection: any number does. */
    private static final int MONITOR_ID = 1;

    private static final int OFPFMF_ADD = 1 << 1;
    private static final int OFPFMF_REMOVED = 1 << 2;
    private static final int OFPFMF_MODIFY = 1 << 3;
    private static final int OFPFMC_ADD = 0;

    private static final int OFPMC_ADD = 0;
    private static final int OFPMC_MODIFY = 1;
    private static final int OFPMF_PKTPS = 1 << 1;
    private static final int OFPMF_BURST = 1 << 2;
    private static final int OFPMBT_DROP = 1;
    private static final int DROP_BAND_LENGTH = 16;

    private RequestEncoder() {}

    /** Greets with version 1.5 and no other. */
    static void hello(int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_HELLO, xid);
        out.writeShort(1).writeShort(8).writeInt(1 << Wire.VERSION);
        Wire.finish(out, start);
    }

    static void echoRequest(int xid, ByteBuf out) {
        Wire.finish(out, Wire.begin(out, Wire.OFPT_ECHO_REQUEST, xid));
    }

    static void echoReply(Message.EchoRequest request, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_ECHO_REPLY, request.xid());
        out.writeBytes(ByteBufUtil.decodeHexDump(request.payload()));
        Wire.finish(out, start);
    }

    static void featuresRequest(int xid, ByteBuf out) {
        Wire.finish(out, Wire.begin(out, Wire.OFPT_FEATURES_REQUEST, xid));
    }

    static void barrierRequest(int xid, ByteBuf out) {
        Wire.finish(out, Wire.begin(out, Wire.OFPT_BARRIER_REQUEST, xid));
    }

    /** Sends a frame out of a port, past all tables. */
    static void packetOut(int port, byte[] frame, int xid, ByteBuf out) {
        packetOut(frame, List.of(new Action.Output(port)), xid, out);
    }

    /** Asks for all ports. */
    static void portsRequest(int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_MULTIPART_REQUEST, xid);
        out.writeShort(Wire.OFPMP_PORT_DESC).writeShort(0).writeZero(4);
        out.writeInt(Wire.OFPP_ANY).writeZero(4);
        Wire.finish(out, start);
    }

    /** Asks for flows of all tables with their counters. */
    static void flowsRequest(int xid, CookieMatch which, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_MULTIPART_REQUEST, xid);
        out.writeShort(Wire.OFPMP_FLOW_DESC).writeShort(0).writeZero(4);
        out.writeByte(Wire.OFPTT_ALL).writeZero(3);
        out.writeInt(Wire.OFPP_ANY).writeInt(Wire.OFPG_ANY).writeZero(4);
        out.writeLong(which.value()).writeLong(which.mask());
        out.writeShort(Wire.OFPMT_OXM).writeShort(4).writeZero(4);
        Wire.finish(out, start);
    }

    /** Asks to be told of what others do to the flows from now on, without what is there already. */
    static void flowMonitorRequest(int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_MULTIPART_REQUEST, xid);
        out.writeShort(Wire.OFPMP_FLOW_MONITOR).writeShort(0).writeZero(4);
        out.writeInt(MONITOR_ID).writeInt(Wire.OFPP_ANY).writeInt(Wire.OFPG_ANY);
        out.writeShort(OFPFMF_ADD | OFPFMF_REMOVED | OFPFMF_MODIFY);
        out.writeByte(Wire.OFPTT_ALL).writeByte(OFPFMC_ADD);
        out.writeShort(Wire.OFPMT_OXM).writeShort(4).writeZero(4);
        Wire.finish(out, start);
    }

    /** Asks for all groups. */
    static void groupsRequest(int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_MULTIPART_REQUEST, xid);
        out.writeShort(Wire.OFPMP_GROUP_DESC).writeShort(0).writeZero(4);
        out.writeInt(Wire.OFPG_ALL).writeZero(4);
        Wire.finish(out, start);
    }

    /** Has packets that flows send to the controllers sent here, whole. */
    static void wantPackets(int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_SET_CONFIG, xid);
        out.writeShort(0).writeShort(0xffff);
        Wire.finish(out, start);
    }

    /** Makes a meter; refused if there is one of its number. */
    static void addMeter(Meter meter, int xid, ByteBuf out) {
        meter(OFPMC_ADD, meter, xid, out);
    }

    /** Gives a meter its bound; refused if there is none of its number. */
    static void changeMeter(Meter meter, int xid, ByteBuf out) {
        meter(OFPMC_MODIFY, meter, xid, out);
    }

    private static void meter(int command, Meter meter, int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_METER_MOD, xid);
        out.writeShort(command).writeShort(OFPMF_PKTPS | OFPMF_BURST).writeInt(meter.id());
        out.writeShort(OFPMBT_DROP).writeShort(DROP_BAND_LENGTH);
        out.writeInt(meter.rate()).writeInt(meter.burst()).writeZero(4);
        Wire.finish(out, start);
    }

    /** Gives a frame to the switch, which does the actions with it. */
    static void packetOut(byte[] frame, List<Action> actions, int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_PACKET_OUT, xid);
        out.writeInt(Wire.OFP_NO_BUFFER).writeShort(0).writeZero(2);
        OxmCodec.encode(FROM_CONTROLLER, out);
        int begin = out.writerIndex();
        actions.forEach(action -> ActionCodec.encode(action, out));
        out.setShort(start + Wire.HEADER_LENGTH + 4, out.writerIndex() - begin);
        out.writeBytes(frame);
        Wire.finish(out, start);
    }

    /** Asks for one step of an atomic, ordered bundle. */
    static void bundleControl(int bundle, BundleStep step, int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_BUNDLE_CONTROL, xid);
        out.writeInt(bundle).writeShort(step.number()).writeShort(BUNDLE_FLAGS);
        Wire.finish(out, start);
    }

    /** Begins a message that puts the message written next into a bundle; {@link Wire#finish} ends it. */
    static int beginBundleAdd(int bundle, int xid, ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_BUNDLE_ADD_MESSAGE, xid);
        out.writeInt(bundle).writeZero(2).writeShort(BUNDLE_FLAGS);
        return start;
    }
}
