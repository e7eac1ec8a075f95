package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.quorumlb.ovs.flow.FlowKey;
import java.util.ArrayList;
import java.util.List;

/** Changes of flows as a flow monitor lists them (OpenFlow 1.5.1, 7.3.5.19). */
final class FlowUpdateDecoder {
    private static final int SHORT_LENGTH = 8;
    private static final int FULL_LENGTH = 24;
    private static final int OFPFME_ADDED = 1;
    private static final int OFPFME_REMOVED = 2;
    private static final int OFPFME_MODIFIED = 3;
    private static final int OFPFME_ABBREV = 4;
    private static final int OFPFME_PAUSED = 5;
    private static final int OFPFME_RESUMED = 6;

    private FlowUpdateDecoder() {}

    /** Reads updates until the end of the message; our own changes, which the switch abbreviates, are left out. */
    static List<FlowChange> decodeAll(ByteBuf in) {
        var changes = new ArrayList<FlowChange>();
        while (in.isReadable()) {
            int length = in.readableBytes() < 2 ? 0 : in.getUnsignedShort(in.readerIndex());
            if (length < SHORT_LENGTH) {
                throw new MalformedMessageException(
                        "flow update length must be at least " + SHORT_LENGTH + ", is " + length);
            }
            ByteBuf update = Wire.part(in, length, "flow update");
            int event = update.skipBytes(2).readUnsignedShort();
            switch (event) {
                case OFPFME_ADDED, OFPFME_REMOVED, OFPFME_MODIFIED -> changes.add(full(event, length, update));
                case OFPFME_PAUSED, OFPFME_RESUMED -> changes.add(new FlowChange.Gap());
                case OFPFME_ABBREV -> {
                    // Made by this connection: it knows.
                }
                default -> throw new MalformedMessageException("event of a flow update must be 1..6, is " + event);
            }
        }
        return changes;
    }

    private static FlowChange full(int event, int length, ByteBuf in) {
        if (length < FULL_LENGTH) {
            throw new MalformedMessageException(
                    "length of a full flow update must be at least " + FULL_LENGTH + ", is " + length);
        }
        int table = in.readUnsignedByte();
        in.skipBytes(5); // reason and timeouts do not matter: the flows are read anew
        int priority = in.readUnsignedShort();
        in.skipBytes(4);
        long cookie = in.readLong();
        var key = new FlowKey(table, priority, OxmCodec.decodeMatch(in));
        return switch (event) {
            case OFPFME_ADDED -> new FlowChange.Added(key, cookie);
            case OFPFME_REMOVED -> new FlowChange.Removed(key, cookie);
            default -> new FlowChange.Modified(key, cookie);
        };
    }
}
