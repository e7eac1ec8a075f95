package io.quorumlb.node.wire;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.NodeRecord;
import io.quorumlb.proto.v1.ObservationRecord;
import java.time.Duration;
import java.util.List;

/**
 * Converts node records.
 *
 * <p>Every {@code fromWire} throws IllegalArgumentException that names the field and its value. Times are whole
 * milliseconds on the wire, rounded up.
 */
public final class RecordCodec {
    private RecordCodec() {}

    /** Returns the record as a message. */
    public static io.quorumlb.proto.v1.NodeRecord toWire(NodeRecord nodeRecord) {
        var message = io.quorumlb.proto.v1.NodeRecord.newBuilder()
                .setOwner(nodeRecord.owner().value())
                .setIncarnation(nodeRecord.incarnation())
                .setSequence(nodeRecord.sequence())
                .setAgeMillis(WireField.millis(nodeRecord.age()))
                .setReport(ReportCodec.toWire(nodeRecord.report()));
        nodeRecord.observations().forEach(observation -> message.addObservations(toWire(observation)));
        return message.build();
    }

    /** Returns the record of a message. */
    public static NodeRecord fromWire(io.quorumlb.proto.v1.NodeRecord message) {
        NodeId owner = WireField.parse("record.owner", message.getOwner(), NodeId::new);
        WireField.require("record.report of " + owner, message.hasReport());
        List<Observation> observations = message.getObservationsList().stream()
                .map(observation -> fromWire(owner, observation))
                .toList();
        return new NodeRecord(
                owner,
                WireField.number("record.incarnation", message.getIncarnation()),
                WireField.number("record.sequence", message.getSequence()),
                WireField.duration(message.getAgeMillis()),
                WireField.distinct("record.observations.member_id", observations, Observation::memberId),
                ReportCodec.fromWire(message.getReport()));
    }

    private static ObservationRecord toWire(Observation observation) {
        return ObservationRecord.newBuilder()
                .setMemberId(observation.memberId())
                .setHealth(toWire(observation.health()))
                .setProbeAgeMillis(WireField.millis(observation.age()))
                .setDetail(observation.detail())
                .setSuspicion(toWire(observation.suspicion()))
                .build();
    }

    private static Observation fromWire(NodeId observer, ObservationRecord message) {
        return new Observation(
                observer,
                WireField.number("record.observations.member_id", message.getMemberId(), 1, TableMember.ID_MAX),
                fromWire(message.getHealth()),
                fromWire(message.getSuspicion()),
                WireField.duration(message.getProbeAgeMillis()),
                message.getDetail());
    }

    /** Returns the health's wire value. */
    public static io.quorumlb.proto.v1.Health toWire(Health health) {
        return switch (health) {
            case UP -> io.quorumlb.proto.v1.Health.HEALTH_UP;
            case DOWN -> io.quorumlb.proto.v1.Health.HEALTH_DOWN;
        };
    }

    /** Returns the duration in whole milliseconds, rounded up and kept within 0..4294967295, as unsigned. */
    public static int millis(Duration duration) {
        return WireField.millis(duration);
    }

    /** Returns the suspicion's wire value. */
    public static io.quorumlb.proto.v1.Suspicion toWire(Suspicion suspicion) {
        return switch (suspicion) {
            case NONE -> io.quorumlb.proto.v1.Suspicion.SUSPICION_UNSPECIFIED;
            case SUSPECT -> io.quorumlb.proto.v1.Suspicion.SUSPICION_SUSPECT;
        };
    }

    /** A kind of doubt that this version does not know changes no vote: it is none here. */
    private static Suspicion fromWire(io.quorumlb.proto.v1.Suspicion suspicion) {
        return switch (suspicion) {
            case SUSPICION_SUSPECT -> Suspicion.SUSPECT;
            case SUSPICION_UNSPECIFIED, UNRECOGNIZED -> Suspicion.NONE;
        };
    }

    private static Health fromWire(io.quorumlb.proto.v1.Health health) {
        return switch (health) {
            case HEALTH_UP -> Health.UP;
            case HEALTH_DOWN -> Health.DOWN;
            case HEALTH_UNSPECIFIED, UNRECOGNIZED -> throw WireField.unknownEnum("record.observations.health", health);
        };
    }
}
