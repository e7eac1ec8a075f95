package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.quorumlb.ovs.flow.Instruction;
import java.util.ArrayList;
import java.util.List;

/** Instructions as bytes (OpenFlow 1.5.1, 7.2.5). */
final class InstructionCodec {
    static final int OFPIT_GOTO_TABLE = 1;
    static final int OFPIT_APPLY_ACTIONS = 4;
    private static final int LENGTH_MIN = 8;

    private InstructionCodec() {}

    /** Writes an instruction. */
    static void encode(Instruction instruction, ByteBuf out) {
        switch (instruction) {
            case Instruction.GotoTable(int table) -> {
                out.writeShort(OFPIT_GOTO_TABLE).writeShort(8);
                out.writeByte(table).writeZero(3);
            }
            case Instruction.ApplyActions(var actions) -> {
                int start = out.writerIndex();
                out.writeShort(OFPIT_APPLY_ACTIONS).writeShort(0).writeZero(4);
                actions.forEach(action -> ActionCodec.encode(action, out));
                out.setShort(start + 2, out.writerIndex() - start);
            }
            case Instruction.Unrecognised(String bytes) -> out.writeBytes(ByteBufUtil.decodeHexDump(bytes));
        }
    }

    /**
     * Reads instructions until the end of the part. Those this program never writes are kept as they are.
     *
     * @throws MalformedMessageException if a length is wrong
     */
    static List<Instruction> decodeAll(ByteBuf in) {
        var instructions = new ArrayList<Instruction>(2);
        while (in.isReadable()) {
            ByteBuf instruction = Wire.typed(in, LENGTH_MIN, "instruction");
            instructions.add(
                    switch (instruction.getUnsignedShort(instruction.readerIndex())) {
                        case OFPIT_GOTO_TABLE ->
                            new Instruction.GotoTable(instruction.skipBytes(4).readUnsignedByte());
                        case OFPIT_APPLY_ACTIONS ->
                            new Instruction.ApplyActions(ActionCodec.decodeAll(instruction.skipBytes(8)));
                        default -> new Instruction.Unrecognised(ByteBufUtil.hexDump(instruction));
                    });
        }
        return instructions;
    }
}
