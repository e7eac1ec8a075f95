package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Match;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Match fields as bytes: OXM headers, values and masks (OpenFlow 1.5.1, 7.2.3). */
final class OxmCodec {
    private static final int MATCH_HEADER_LENGTH = 4;
    private static final int OXM_HEADER_LENGTH = 4;
    private static final int HAS_MASK = 1 << 8;
    private static final int OFPXMC_PACKET_REGS = 0x8001;
    private static final int REGISTERS_CLASS = Field.REG0.oxmClass();
    private static final int REGISTER_BYTES = 4;
    /** Registers a switch has; what follows in the same class are other fields. */
    private static final int REGISTERS = 16;

    private static final Map<Integer, Field> FIELDS = new HashMap<>();

    static {
        for (Field field : Field.values()) {
            FIELDS.put(header(field), field);
        }
    }

    private OxmCodec() {}

    /** Returns the four-byte header of an unmasked field; it also names the field in copy_field and multipath. */
    static int header(Field field) {
        return (field.oxmClass() << 16) | (field.number() << 9) | field.bytes();
    }

    /** Returns the field an unmasked header names, empty for one this program never writes. */
    static Optional<Field> field(int header) {
        return Optional.ofNullable(FIELDS.get(header));
    }

    /** Writes one field with its value and, unless it covers the whole field, its mask. */
    static void encode(Match.Term term, ByteBuf out) {
        Field field = term.field();
        if (term.isExact()) {
            out.writeInt(header(field));
            encodeWords(term.high(), term.value(), field, out);
        } else {
            out.writeInt(((header(field) & ~0xff) | HAS_MASK) | (2 * field.bytes()));
            encodeWords(term.high(), term.value(), field, out);
            encodeWords(term.maskHigh(), term.mask(), field, out);
        }
    }

    private static void encodeWords(long high, long low, Field field, ByteBuf out) {
        int lowBytes = Math.min(field.bytes(), Long.BYTES);
        Wire.writeUnsigned(out, high, field.bytes() - lowBytes);
        Wire.writeUnsigned(out, low, lowBytes);
    }

    /** Writes a match with its header and padding. */
    static void encode(Match match, ByteBuf out) {
        int start = out.writerIndex();
        out.writeShort(Wire.OFPMT_OXM).writeShort(0);
        for (Match.Term term : match.terms()) {
            encode(term, out);
        }
        out.writeBytes(ByteBufUtil.decodeHexDump(match.unrecognised()));
        out.setShort(start + 2, out.writerIndex() - start);
        Wire.pad(out, start);
    }

    /**
     * Reads a match with its header and padding. Fields this program never writes are kept as they are.
     *
     * @throws MalformedMessageException if it is not of that form
     */
    static Match decodeMatch(ByteBuf in) {
        int type = in.getUnsignedShort(in.readerIndex());
        if (type != Wire.OFPMT_OXM) {
            throw new MalformedMessageException("match type must be 1 (OXM), is " + type);
        }
        ByteBuf oxms = Wire.typed(in, MATCH_HEADER_LENGTH, "match");
        Wire.part(in, Wire.padded(oxms.readableBytes()) - oxms.readableBytes(), "padding of a match");
        oxms.skipBytes(MATCH_HEADER_LENGTH);
        var terms = new ArrayList<Match.Term>();
        var unrecognised = new StringBuilder();
        while (oxms.isReadable()) {
            ByteBuf oxm = oxm(oxms);
            int start = oxm.readerIndex();
            int length = oxm.readableBytes();
            if (!decodeRegisterPair(oxm, terms)) {
                oxm.readerIndex(start);
                decode(oxm)
                        .ifPresentOrElse(
                                terms::add, () -> unrecognised.append(ByteBufUtil.hexDump(oxm, start, length)));
            }
        }
        return new Match(terms, unrecognised.toString());
    }

    /**
     * Reads a pair of registers: in OpenFlow 1.5, Open vSwitch lists two registers as one of 64 bits, whatever way
     * they were written.
     *
     * @return whether it was a pair, and each half that is compared a register this program knows
     */
    private static boolean decodeRegisterPair(ByteBuf oxm, List<Match.Term> terms) {
        int header = oxm.readInt();
        boolean masked = (header & HAS_MASK) != 0;
        if (header >>> 16 != OFPXMC_PACKET_REGS || (header & 0xff) != (masked ? 4 : 2) * REGISTER_BYTES) {
            return false;
        }
        int first = ((header >>> 9) & 0x7f) * 2;
        long values = oxm.readLong();
        long masks = masked ? oxm.readLong() : -1;
        var halves = new ArrayList<Match.Term>(2);
        for (int half = 0; half < 2; half++) {
            int shift = half == 0 ? 32 : 0;
            long mask = (masks >>> shift) & 0xffff_ffffL;
            if (mask == 0) {
                continue;
            }
            Field register = first + half < REGISTERS
                    ? FIELDS.get((REGISTERS_CLASS << 16) | ((first + half) << 9) | REGISTER_BYTES)
                    : null;
            if (register == null) {
                return false;
            }
            halves.add(new Match.Term(register, (values >>> shift) & 0xffff_ffffL, mask));
        }
        terms.addAll(halves);
        return true;
    }

    /** Reads one field with value and mask, empty for one this program never writes. */
    static Optional<Match.Term> decode(ByteBuf oxm) {
        int header = oxm.readInt();
        boolean masked = (header & HAS_MASK) != 0;
        int payload = header & 0xff;
        int unmasked = masked ? (header & ~HAS_MASK & ~0xff) | (payload / 2) : header;
        Field field = FIELDS.get(unmasked);
        if (field == null || payload != (masked ? 2 : 1) * field.bytes()) {
            return Optional.empty();
        }
        int lowBytes = Math.min(field.bytes(), Long.BYTES);
        int highBytes = field.bytes() - lowBytes;
        long high = Wire.readUnsigned(oxm, highBytes);
        long value = Wire.readUnsigned(oxm, lowBytes);
        long maskHigh = masked ? Wire.readUnsigned(oxm, highBytes) : field.fullMaskHigh();
        long mask = masked ? Wire.readUnsigned(oxm, lowBytes) : field.fullMask();
        if ((mask | maskHigh) == 0
                || ((value | mask) & ~field.fullMask()) != 0
                || ((high | maskHigh) & ~field.fullMaskHigh()) != 0) {
            return Optional.empty();
        }
        return Optional.of(new Match.Term(field, high, value, maskHigh, mask));
    }

    /** Takes the next field, header and payload. */
    static ByteBuf oxm(ByteBuf in) {
        if (in.readableBytes() < OXM_HEADER_LENGTH) {
            throw new MalformedMessageException(
                    "a match field needs 4 bytes, there are " + in.readableBytes() + " left");
        }
        int payload = in.getUnsignedByte(in.readerIndex() + 3);
        return Wire.part(in, OXM_HEADER_LENGTH + payload, "match field");
    }
}
