package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import java.util.List;

/** Flow-mods as bytes (OpenFlow 1.5.1, 7.3.4.2). */
final class FlowModEncoder {
    private static final int OFPFC_ADD = 0;
    private static final int OFPFC_DELETE_STRICT = 4;

    private FlowModEncoder() {}

    /** Writes a flow-mod that adds a flow or replaces the one of the same key. */
    static void add(Flow flow, int xid, ByteBuf out) {
        encode(OFPFC_ADD, flow.key(), flow.cookie(), 0, flow.lifetime(), flow.instructions(), xid, out);
    }

    /**
     * Writes a flow-mod that deletes the flow of a key if its cookie is the owner's, else nothing.
     *
     * @param ownerCookie bits the cookie must have
     * @param ownerMask bits of the cookie to compare
     */
    static void deleteStrict(FlowKey key, long ownerCookie, long ownerMask, int xid, ByteBuf out) {
        encode(OFPFC_DELETE_STRICT, key, ownerCookie, ownerMask, Flow.Lifetime.PERMANENT, List.of(), xid, out);
    }

    private static void encode(
            int command,
            FlowKey key,
            long cookie,
            long cookieMask,
            Flow.Lifetime lifetime,
            List<Instruction> instructions,
            int xid,
            ByteBuf out) {
        int start = Wire.begin(out, Wire.OFPT_FLOW_MOD, xid);
        out.writeLong(cookie).writeLong(cookieMask);
        out.writeByte(key.table()).writeByte(command);
        out.writeShort(lifetime.idleSeconds()).writeShort(lifetime.hardSeconds());
        out.writeShort(key.priority());
        out.writeInt(Wire.OFP_NO_BUFFER).writeInt(Wire.OFPP_ANY).writeInt(Wire.OFPG_ANY);
        out.writeShort(0).writeShort(0); // flags, importance
        OxmCodec.encode(key.match(), out);
        for (Instruction instruction : instructions) {
            InstructionCodec.encode(instruction, out);
        }
        Wire.finish(out, start);
    }
}
