package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Match;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Flows as the switch lists them: flow description with OXS statistics (OpenFlow 1.5.1, 7.3.5.2 and 7.2.4). */
final class FlowDescriptionDecoder {
    private static final int FIXED_LENGTH = 24;
    private static final int SIZE_LENGTH = 4;
    private static final int TYPED_LENGTH = 4;
    private static final int STATS_HEADER_LENGTH = 4;
    private static final int OFPXSC_OPENFLOW_BASIC = 0x8002;
    private static final int OFPXST_OFB_DURATION = 0;
    private static final int OFPXST_OFB_PACKET_COUNT = 4;
    private static final int OFPXST_OFB_BYTE_COUNT = 5;
    private static final int COUNTER_LENGTH = 8;

    private FlowDescriptionDecoder() {}

    /**
     * Reads entries until the end of the part.
     *
     * @param known flows of earlier parts and lists
     */
    static List<FlowDescription> decodeAll(ByteBuf in, KnownFlows known) {
        var flows = new ArrayList<FlowDescription>();
        while (in.isReadable()) {
            int length = in.readableBytes() < 2 ? 0 : in.getUnsignedShort(in.readerIndex());
            if (length < FIXED_LENGTH) {
                throw new MalformedMessageException(
                        "flow description length must be at least " + FIXED_LENGTH + ", is " + length);
            }
            flows.add(decode(Wire.part(in, length, "flow description"), known));
        }
        return flows;
    }

    private static FlowDescription decode(ByteBuf in, KnownFlows known) {
        int matchAt = in.readerIndex() + FIXED_LENGTH;
        int statsAt = matchAt + paddedLength(in, matchAt);
        int restAt = statsAt + paddedLength(in, statsAt);
        if (restAt > in.writerIndex()) {
            // Something is cut off: what it is decoding tells.
            return decode(in);
        }
        int descriptionAt = in.readerIndex() + SIZE_LENGTH;
        byte[] description = new byte[statsAt - descriptionAt + in.writerIndex() - restAt];
        in.getBytes(descriptionAt, description, 0, statsAt - descriptionAt);
        in.getBytes(restAt, description, statsAt - descriptionAt, in.writerIndex() - restAt);
        Stats stats = Stats.decode(in.slice(statsAt, restAt - statsAt));
        Flow flow = known.get(description, () -> decode(in.duplicate()).flow());
        return new FlowDescription(flow, stats.packets, stats.bytes, stats.age);
    }

    /** Returns the length of a part that begins with its type and its length, or more than there is. */
    private static int paddedLength(ByteBuf in, int at) {
        return at + TYPED_LENGTH > in.writerIndex()
                ? Wire.MESSAGE_LENGTH_MAX
                : Wire.padded(in.getUnsignedShort(at + 2));
    }

    private static FlowDescription decode(ByteBuf in) {
        in.skipBytes(4);
        int table = in.readUnsignedByte();
        in.skipBytes(1);
        int priority = in.readUnsignedShort();
        var lifetime = new Flow.Lifetime(in.readUnsignedShort(), in.readUnsignedShort());
        in.skipBytes(4); // flags and importance do not change how packets are treated
        long cookie = in.readLong();
        Match match = OxmCodec.decodeMatch(in);
        Stats stats = Stats.decode(in);
        var key = new FlowKey(table, priority, match);
        var flow = new Flow(key, cookie, InstructionCodec.decodeAll(in), lifetime);
        return new FlowDescription(flow, stats.packets, stats.bytes, stats.age);
    }

    private record Stats(long packets, long bytes, Duration age) {
        static Stats decode(ByteBuf in) {
            ByteBuf stats = Wire.typed(in, STATS_HEADER_LENGTH, "flow statistics");
            Wire.part(in, Wire.padded(stats.readableBytes()) - stats.readableBytes(), "padding of statistics");
            stats.skipBytes(STATS_HEADER_LENGTH);
            long packets = 0;
            long bytes = 0;
            Duration age = Duration.ZERO;
            while (stats.isReadable()) {
                int oxsClass = stats.readUnsignedShort();
                int number = stats.readUnsignedByte() >>> 1;
                int length = stats.readUnsignedByte();
                if (oxsClass != OFPXSC_OPENFLOW_BASIC || length != COUNTER_LENGTH || length > stats.readableBytes()) {
                    Wire.part(stats, length, "statistics field");
                    continue;
                }
                switch (number) {
                    case OFPXST_OFB_DURATION ->
                        age = Duration.ofSeconds(stats.readUnsignedInt(), stats.readUnsignedInt());
                    case OFPXST_OFB_PACKET_COUNT -> packets = stats.readLong();
                    case OFPXST_OFB_BYTE_COUNT -> bytes = stats.readLong();
                    // Idle time and flow count are not used.
                    default -> stats.skipBytes(length);
                }
            }
            return new Stats(packets, bytes, age);
        }
    }
}
