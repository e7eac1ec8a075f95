package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.MonitorType;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say how a pool's members are probed. */
final class MonitorOptions {
    @Option(names = "--monitor", paramLabel = "TYPE", description = "http, tcp or udp. Default: http.")
    private String type = "http";

    @Option(
            names = "--probe-port",
            paramLabel = "PORT",
            converter = CountConverter.class,
            description = "Port that is asked, 1..65535. Default: each member's own.")
    private int port;

    @Mixin
    private final ProbeBytesOptions bytes = new ProbeBytesOptions();

    @Option(names = "--path", paramLabel = "PATH", description = "HTTP only, starts with a slash. Default: /.")
    private Optional<String> path = Optional.empty();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "From start to start of a probe, 100ms..60m. Default: 1s.")
    private Duration interval = Duration.ofSeconds(1);

    @Option(
            names = "--probe-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time for one probe, 10ms up to the interval. Default: 500ms.")
    private Duration timeout = Duration.ofMillis(500);

    @Option(
            names = "--probe-fast-interval",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "From start to start of a probe while a member is suspect, 10ms up to the interval."
                    + " Default: 200ms, or the interval if that is shorter.")
    private Optional<Duration> fastInterval = Optional.empty();

    @Option(
            names = "--rise",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Successes in a row until up, 1..100. Default: 2.")
    private int rise = 2;

    @Option(
            names = "--fall",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Failures in a row until down, 1..100. Default: 3.")
    private int fall = 3;

    /**
     * Returns the monitor.
     *
     * @throws CommandFailure if the type is not known or bytes cannot be read
     */
    HealthMonitor monitor() {
        MonitorType known = EnumWord.parse(MonitorType.values(), type, "--monitor");
        HealthMonitor.Builder monitor = HealthMonitor.newBuilder()
                .setType(known)
                .setPath(path.orElse(known == MonitorType.MONITOR_TYPE_HTTP ? "/" : ""))
                .setIntervalMillis((int) interval.toMillis())
                .setTimeoutMillis((int) timeout.toMillis())
                .setRise(rise)
                .setFall(fall)
                .setFastIntervalMillis(
                        fastInterval.map(time -> (int) time.toMillis()).orElse(0))
                .setPort(port);
        bytes.fill(monitor);
        return monitor.build();
    }
}
