package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.MonitorType;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that change how a pool's members are probed; what is not given stays as it is. */
final class MonitorChange {
    @Option(names = "--monitor", paramLabel = "TYPE", description = "http, tcp or udp.")
    private Optional<String> type = Optional.empty();

    @Option(names = "--path", paramLabel = "PATH", description = "HTTP only, starts with a slash.")
    private Optional<String> path = Optional.empty();

    @Option(
            names = "--probe-port",
            paramLabel = "PORT",
            converter = CountConverter.class,
            description = "Port that is asked, 1..65535; 0 is each member's own.")
    private Optional<Integer> port = Optional.empty();

    @Mixin
    private final ProbeBytesOptions bytes = new ProbeBytesOptions();

    @Option(names = "--silence-down", description = "UDP only: no answer is a failure again.")
    private boolean silenceDown;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "From start to start of a probe, 100ms..60m.")
    private Optional<Duration> interval = Optional.empty();

    @Option(
            names = "--probe-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time for one probe, 10ms up to the interval.")
    private Optional<Duration> timeout = Optional.empty();

    @Option(
            names = "--probe-fast-interval",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "From start to start of a probe while a member is suspect, 10ms up to the interval.")
    private Optional<Duration> fastInterval = Optional.empty();

    @Option(
            names = "--rise",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Successes in a row until up, 1..100.")
    private Optional<Integer> rise = Optional.empty();

    @Option(
            names = "--fall",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Failures in a row until down, 1..100.")
    private Optional<Integer> fall = Optional.empty();

    /**
     * Returns the monitor after the change.
     *
     * @throws CommandFailure if the type is not known or bytes cannot be read
     */
    HealthMonitor of(HealthMonitor before) {
        HealthMonitor.Builder monitor = before.toBuilder();
        type.map(word -> EnumWord.parse(MonitorType.values(), word, "--monitor"))
                .filter(wanted -> wanted != before.getType())
                .ifPresent(wanted -> monitor.setType(wanted)
                        .setPath(wanted == MonitorType.MONITOR_TYPE_HTTP ? "/" : "")
                        .clearPayload()
                        .clearExpect()
                        .clearSilenceUp());
        if (silenceDown) {
            monitor.setSilenceUp(false);
        }
        bytes.fill(monitor);
        path.ifPresent(monitor::setPath);
        port.ifPresent(monitor::setPort);
        interval.ifPresent(time -> monitor.setIntervalMillis((int) time.toMillis()));
        timeout.ifPresent(time -> monitor.setTimeoutMillis((int) time.toMillis()));
        fastInterval.ifPresent(time -> monitor.setFastIntervalMillis((int) time.toMillis()));
        rise.ifPresent(monitor::setRise);
        fall.ifPresent(monitor::setFall);
        return monitor.build();
    }
}
