package io.quorumlb.node.wire;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.Content;
import io.quorumlb.proto.v1.ObservationRecord;
import java.time.Duration;

/**
 * Converts what nodes have found of members.
 *
 * <p>Every {@code fromWire} throws IllegalArgumentException that names the field and its value. Times are whole
 * milliseconds on the wire, rounded up.
 */
public final class RecordCodec {
    private RecordCodec() {}

    static ObservationRecord toWire(Content.OfMember found) {
        return ObservationRecord.newBuilder()
                .setHealth(toWire(found.seen().health()))
                .setDetail(found.seen().detail())
                .setSuspicion(toWire(found.seen().suspicion()))
                .setIntervalMillis(WireField.millis(found.interval()))
                .build();
    }

    static Content.OfMember fromWire(NodeId observer, int memberId, ObservationRecord message) {
        var seen = new Observation(
                observer,
                WireField.number("entry.id", memberId, 1, TableMember.ID_MAX),
                fromWire(message.getHealth()),
                fromWire(message.getSuspicion()),
                Duration.ZERO,
                message.getDetail());
        return new Content.OfMember(seen, WireField.duration(message.getIntervalMillis()));
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
            case HEALTH_UNSPECIFIED, UNRECOGNIZED -> throw WireField.unknownEnum("observation.health", health);
        };
    }
}
