package io.quorumlb.consensus.wire;

import com.google.protobuf.ByteString;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.MonitorCheck.Silence;
import io.quorumlb.consensus.model.ProbeBytes;
import io.quorumlb.proto.v1.MonitorType;
import java.time.Duration;
import java.util.OptionalInt;

/** Converts health monitors; the errors are those of {@link ModelCodec}. */
public final class MonitorCodec {
    private MonitorCodec() {}

    /** Returns the health monitor as a message; times are cut to whole milliseconds. */
    public static io.quorumlb.proto.v1.HealthMonitor toWire(HealthMonitor monitor) {
        var message = io.quorumlb.proto.v1.HealthMonitor.newBuilder()
                .setPort(monitor.port().orElse(0))
                .setIntervalMillis(Math.toIntExact(monitor.interval().toMillis()))
                .setTimeoutMillis(Math.toIntExact(monitor.timeout().toMillis()))
                .setRise(monitor.rise())
                .setFall(monitor.fall())
                .setFastIntervalMillis(Math.toIntExact(monitor.fastInterval().toMillis()));
        switch (monitor.check()) {
            case MonitorCheck.Http(String path) ->
                message.setType(MonitorType.MONITOR_TYPE_HTTP).setPath(path);
            case MonitorCheck.Tcp() -> message.setType(MonitorType.MONITOR_TYPE_TCP);
            case MonitorCheck.Udp(ProbeBytes payload, ProbeBytes expect, Silence silence) ->
                message.setType(MonitorType.MONITOR_TYPE_UDP)
                        .setPayload(ByteString.copyFrom(payload.copy()))
                        .setExpect(ByteString.copyFrom(expect.copy()))
                        .setSilenceUp(silence == Silence.WEAKLY_UP);
        }
        return message.build();
    }

    /**
     * Returns the health monitor of a message; without a fast interval it has the default one.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static HealthMonitor fromWire(io.quorumlb.proto.v1.HealthMonitor message) {
        Duration interval = Duration.ofMillis(Integer.toUnsignedLong(message.getIntervalMillis()));
        int port = WireField.number("monitor.port", message.getPort());
        return new HealthMonitor(
                check(message),
                port == 0 ? OptionalInt.empty() : OptionalInt.of(port),
                interval,
                Duration.ofMillis(Integer.toUnsignedLong(message.getTimeoutMillis())),
                WireField.number("monitor.rise", message.getRise()),
                WireField.number("monitor.fall", message.getFall()),
                message.getFastIntervalMillis() == 0
                        ? HealthMonitor.fastIntervalDefault(interval)
                        : Duration.ofMillis(Integer.toUnsignedLong(message.getFastIntervalMillis())));
    }

    private static MonitorCheck check(io.quorumlb.proto.v1.HealthMonitor message) {
        MonitorType type = message.getType();
        MonitorCheck check = ofType(type, message);
        if (type != MonitorType.MONITOR_TYPE_HTTP && !message.getPath().isEmpty()) {
            throw new IllegalArgumentException(
                    "monitor.path '%s': only an HTTP probe has one".formatted(message.getPath()));
        }
        if (type != MonitorType.MONITOR_TYPE_UDP) {
            onlyUdp("payload", message.getPayload().isEmpty());
            onlyUdp("expect", message.getExpect().isEmpty());
            onlyUdp("silence_up", !message.getSilenceUp());
        }
        return check;
    }

    private static MonitorCheck ofType(MonitorType type, io.quorumlb.proto.v1.HealthMonitor message) {
        return switch (type) {
            case MONITOR_TYPE_HTTP -> new MonitorCheck.Http(message.getPath());
            case MONITOR_TYPE_TCP -> new MonitorCheck.Tcp();
            case MONITOR_TYPE_UDP ->
                new MonitorCheck.Udp(
                        bytes("monitor.payload", message.getPayload()),
                        bytes("monitor.expect", message.getExpect()),
                        message.getSilenceUp() ? Silence.WEAKLY_UP : Silence.FAILURE);
            case MONITOR_TYPE_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(
                        "monitor.type", type, "MONITOR_TYPE_HTTP, MONITOR_TYPE_TCP or MONITOR_TYPE_UDP");
        };
    }

    private static void onlyUdp(String field, boolean absent) {
        if (!absent) {
            throw new IllegalArgumentException("monitor.%s is set: only a UDP probe has one".formatted(field));
        }
    }

    private static ProbeBytes bytes(String field, ByteString bytes) {
        try {
            return ProbeBytes.of(bytes.toByteArray());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: %s".formatted(field, e.getMessage()), e);
        }
    }
}
