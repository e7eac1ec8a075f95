package io.quorumlb.node.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.Content;
import io.quorumlb.node.core.Entry;
import io.quorumlb.node.core.EntryKey;
import io.quorumlb.node.core.OpaqueBytes;
import io.quorumlb.proto.v1.GossipEntry;
import io.quorumlb.proto.v1.NodeReport;
import io.quorumlb.proto.v1.ObservationRecord;
import io.quorumlb.proto.v1.PoolReport;

/** Converts the entries of records; keeps what it does not understand as it came. */
final class ContentCodec {
    private ContentCodec() {}

    static GossipEntry toWire(Entry entry) {
        var message = GossipEntry.newBuilder()
                .setKind(entry.key().kind())
                .setId(entry.key().id())
                .setVersion(entry.version())
                .setGone(entry.content() instanceof Content.Gone);
        ByteString content = entry.original().isEmpty()
                ? bytes(entry.content())
                : ByteString.copyFrom(entry.original().copy());
        return message.setContent(content).build();
    }

    private static ByteString bytes(Content content) {
        return switch (content) {
            case Content.OfNode(var report) -> ReportCodec.toWire(report).toByteString();
            case Content.OfPool(var report) -> ReportCodec.toWire(report).toByteString();
            case Content.OfMember found -> RecordCodec.toWire(found).toByteString();
            case Content.Gone _, Content.Foreign _ -> ByteString.EMPTY;
        };
    }

    static Entry fromWire(NodeId owner, GossipEntry message) {
        var key = new EntryKey(
                WireField.number("entry.kind", message.getKind(), 0, Integer.MAX_VALUE),
                WireField.number("entry.id", message.getId(), 0, Integer.MAX_VALUE));
        long version = WireField.number("entry.version", message.getVersion());
        ByteString bytes = message.getContent();
        Content content = message.getGone() ? new Content.Gone() : content(owner, key, bytes);
        OpaqueBytes original = bytes(content).equals(bytes) ? OpaqueBytes.NONE : OpaqueBytes.of(bytes.toByteArray());
        return new Entry(key, version, content, original);
    }

    private static Content content(NodeId owner, EntryKey key, ByteString bytes) {
        try {
            return switch (key.kind()) {
                case EntryKey.NODE -> new Content.OfNode(ReportCodec.fromWire(NodeReport.parseFrom(bytes)));
                case EntryKey.POOL -> pool(key, PoolReport.parseFrom(bytes));
                case EntryKey.MEMBER -> RecordCodec.fromWire(owner, key.id(), ObservationRecord.parseFrom(bytes));
                default -> new Content.Foreign();
            };
        } catch (UnknownValueException _) {
            // A later version's word: not for us, but for those we relay it to.
            return new Content.Foreign();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    "entry %s of %s cannot be read: %s".formatted(key, owner, e.getMessage()), e);
        }
    }

    private static Content pool(EntryKey key, PoolReport message) {
        if (message.getPoolId() != key.id()) {
            throw new IllegalArgumentException(
                    "entry.id %d holds a report of pool %d".formatted(key.id(), message.getPoolId()));
        }
        return new Content.OfPool(ReportCodec.fromWire(message));
    }
}
