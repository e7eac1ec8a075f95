package io.quorumlb.node.wire;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
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
                .setIntervalMillis(WireField.millis(found.interval()))
                .build();
    }

    static Content.OfMember fromWire(NodeId observer, int memberId, ObservationRecord message) {
        var seen = new Observation(
                observer,
                WireField.number("entry.id", memberId, 1, TableMember.ID_MAX),
                fromWire(message.getHealth()),
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

    private static Health fromWire(io.quorumlb.proto.v1.Health health) {
        return switch (health) {
            case HEALTH_UP -> Health.UP;
            case HEALTH_DOWN -> Health.DOWN;
            case HEALTH_UNSPECIFIED, UNRECOGNIZED -> throw WireField.unknownEnum("observation.health", health);
        };
    }
}
