package io.quorumlb.node.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.Beat;
import io.quorumlb.node.core.Delta;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.OpaqueBytes;
import io.quorumlb.node.core.Stamp;
import io.quorumlb.proto.v1.AgeBound;
import io.quorumlb.proto.v1.GossipBeat;
import io.quorumlb.proto.v1.GossipDelta;
import io.quorumlb.proto.v1.GossipRequest;
import io.quorumlb.proto.v1.GossipStamp;
import io.quorumlb.proto.v1.PeerAge;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Converts gossip messages; see {@link GossipParts} for the other way. {@code fromWire} throws
 * IllegalArgumentException that names the field and its value. Times are whole milliseconds on the wire, rounded up: each
 * hop may make a record look older than it is, never fresher.
 */
public final class GossipCodec {
    private GossipCodec() {}

    /** Returns the content of a message. */
    public static GossipMessage fromWire(GossipRequest message) {
        return new GossipMessage(
                WireField.distinct(
                        "beats.owner",
                        message.getBeatsList().stream()
                                .map(GossipCodec::fromWire)
                                .toList(),
                        Beat::owner),
                message.getDeltasList().stream().map(GossipCodec::fromWire).toList(),
                stamps("held", message.getHeldList()),
                stamps("wanted", message.getWantedList()));
    }

    static GossipBeat toWire(Beat beat) {
        var message = GossipBeat.newBuilder()
                .setOwner(beat.owner().value())
                .setIncarnation(beat.incarnation())
                .setSequence(beat.sequence())
                .setVersion(beat.version())
                .setAgeMillis(WireField.millis(beat.age()))
                .setReadBackAgeMillis(WireField.millis(beat.readBackAge()));
        beat.bounds()
                .forEach((interval, age) -> message.addBounds(AgeBound.newBuilder()
                        .setIntervalMillis(WireField.millis(interval))
                        .setAgeMillis(WireField.millis(age))));
        ReportCodec.toWire(beat.peers()).forEach(message::addPeers);
        try {
            return message.mergeUnknownFields(
                            UnknownFieldSet.parseFrom(beat.extra().copy()))
                    .build();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("what was a beat's unknown fields is not any more", e);
        }
    }

    private static Beat fromWire(GossipBeat message) {
        SortedMap<Duration, Duration> bounds = new TreeMap<>();
        for (AgeBound bound : WireField.distinct(
                "beat.bounds.interval_millis", message.getBoundsList(), AgeBound::getIntervalMillis)) {
            bounds.put(WireField.duration(bound.getIntervalMillis()), WireField.duration(bound.getAgeMillis()));
        }
        List<PeerAge> peers = message.getPeersList();
        return new Beat(
                WireField.parse("beat.owner", message.getOwner(), NodeId::new),
                WireField.number("beat.incarnation", message.getIncarnation()),
                WireField.number("beat.sequence", message.getSequence()),
                WireField.number("beat.version", message.getVersion()),
                WireField.duration(message.getAgeMillis()),
                bounds,
                ReportCodec.peers("beat.peers.node", peers),
                WireField.duration(message.getReadBackAgeMillis()),
                OpaqueBytes.of(message.getUnknownFields().toByteArray()));
    }

    private static Delta fromWire(GossipDelta message) {
        NodeId owner = WireField.parse("delta.owner", message.getOwner(), NodeId::new);
        return new Delta(
                owner,
                WireField.number("delta.incarnation", message.getIncarnation()),
                WireField.number("delta.base", message.getBase()),
                WireField.number("delta.version", message.getVersion()),
                WireField.number("delta.whole", message.getWhole()),
                message.getEntriesList().stream()
                        .map(entry -> ContentCodec.fromWire(owner, entry))
                        .toList());
    }

    static GossipStamp toWire(Stamp stamp) {
        return GossipStamp.newBuilder()
                .setOwner(stamp.owner().value())
                .setIncarnation(stamp.incarnation())
                .setVersion(stamp.version())
                .build();
    }

    private static List<Stamp> stamps(String field, List<GossipStamp> messages) {
        List<Stamp> stamps = messages.stream()
                .map(message -> new Stamp(
                        WireField.parse(field + ".owner", message.getOwner(), NodeId::new),
                        WireField.number(field + ".incarnation", message.getIncarnation()),
                        WireField.number(field + ".version", message.getVersion())))
                .toList();
        return WireField.distinct(field + ".owner", stamps, Stamp::owner);
    }
}
