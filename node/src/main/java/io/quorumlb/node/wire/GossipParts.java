package io.quorumlb.node.wire;

import com.google.protobuf.CodedOutputStream;
import io.quorumlb.node.core.Beat;
import io.quorumlb.node.core.Delta;
import io.quorumlb.node.core.Entry;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.GossipDelta;
import io.quorumlb.proto.v1.GossipEntry;
import io.quorumlb.proto.v1.GossipRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One message of the core as messages of bounded size. Beats, and what is asked for, are in the first; the entries of a
 * large delta go on from part to part.
 */
public final class GossipParts {
    /** Largest message in bytes, unless one entry alone is larger. */
    public static final int BYTES_MAX = 256 << 10;

    /** Room for the caller, the beats and stamps, and the frame of a delta. */
    private static final int FRAME_BYTES = 128;

    private final int bytesMax;
    private final List<Part> parts = new ArrayList<>();
    private GossipRequest.Builder current;
    private List<Beat> beats;
    private int bytes;
    private boolean filled;

    /**
     * One message, complete but for the caller and the ages of its beats.
     *
     * @param beats with ages as of the making of the message
     * @param rest all else
     */
    public record Part(List<Beat> beats, GossipRequest rest) {
        /** Returns the message as it is sent now, the time since its making added to all ages. */
        public GossipRequest toWire(Caller caller, Duration waited) {
            var message = rest.toBuilder().setCaller(caller);
            beats.forEach(beat -> message.addBeats(GossipCodec.toWire(beat.older(waited))));
            return message.build();
        }
    }

    private GossipParts(GossipMessage message, int bytesMax) {
        this.bytesMax = bytesMax;
        this.beats = message.beats();
        this.current = GossipRequest.newBuilder();
        message.held().forEach(stamp -> current.addHeld(GossipCodec.toWire(stamp)));
        message.wanted().forEach(stamp -> current.addWanted(GossipCodec.toWire(stamp)));
        this.bytes = new Part(beats, current.build())
                        .toWire(Caller.getDefaultInstance(), Duration.ZERO)
                        .getSerializedSize()
                + FRAME_BYTES;
        this.filled = !beats.isEmpty()
                || !message.held().isEmpty()
                || !message.wanted().isEmpty();
    }

    /** Returns the message in parts of at most {@link #BYTES_MAX} bytes, at least one. */
    public static List<Part> of(GossipMessage message) {
        return of(message, BYTES_MAX);
    }

    static List<Part> of(GossipMessage message, int bytesMax) {
        var parts = new GossipParts(message, bytesMax);
        message.deltas().forEach(parts::add);
        parts.close();
        return List.copyOf(parts.parts);
    }

    private void add(Delta delta) {
        GossipDelta.Builder open = open(delta, delta.base());
        long reached = delta.base();
        for (Entry entry : delta.entries()) {
            GossipEntry wire = ContentCodec.toWire(entry);
            int size = CodedOutputStream.computeMessageSize(GossipDelta.ENTRIES_FIELD_NUMBER, wire);
            if (bytes + size > bytesMax && filled) {
                if (open.getEntriesCount() > 0) {
                    current.addDeltas(open.setVersion(reached));
                }
                close();
                open = open(delta, reached);
            }
            open.addEntries(wire);
            bytes += size;
            filled = true;
            reached = entry.version();
        }
        current.addDeltas(open.setVersion(delta.version()));
    }

    private GossipDelta.Builder open(Delta delta, long base) {
        bytes += FRAME_BYTES;
        return GossipDelta.newBuilder()
                .setOwner(delta.owner().value())
                .setIncarnation(delta.incarnation())
                .setBase(base)
                .setWhole(delta.whole());
    }

    private void close() {
        parts.add(new Part(beats, current.build()));
        beats = List.of();
        current = GossipRequest.newBuilder();
        bytes = FRAME_BYTES;
        filled = false;
    }
}
