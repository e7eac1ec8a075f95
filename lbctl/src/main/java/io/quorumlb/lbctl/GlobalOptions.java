package io.quorumlb.lbctl;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command takes, before or after the verb. */
final class GlobalOptions {
    /** Variable that names the endpoints when the option does not. */
    static final String ENDPOINTS_VARIABLE = "LBCTL_ENDPOINTS";

    private static final String ENDPOINTS_DEFAULT = "127.0.0.1:7403";

    @Option(
            names = "--endpoints",
            scope = ScopeType.INHERIT,
            paramLabel = "H:P,...",
            description =
                    "JSON ports of nodes to ask; the next one if one cannot be reached. Default: LBCTL_ENDPOINTS or "
                            + ENDPOINTS_DEFAULT + ".")
    private Optional<String> endpoints = Optional.empty();

    @Option(
            names = "--timeout",
            scope = ScopeType.INHERIT,
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time for the whole command, 1ms..60m. Default: 5s.")
    private Duration timeout = Duration.ofSeconds(5);

    @Option(
            names = {"-o", "--output"},
            scope = ScopeType.INHERIT,
            paramLabel = "FORMAT",
            description = "table, json (proto3 JSON of the response) or yaml (the same). Default: table.")
    private OutputFormat output = OutputFormat.TABLE;

    @Option(
            names = "--watch",
            scope = ScopeType.INHERIT,
            description =
                    "Of commands that only show: show it again and again in place, until Ctrl-C; on a terminal only.")
    private boolean watch;

    @Option(
            names = "--every",
            scope = ScopeType.INHERIT,
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time between two looks with --watch, 1ms..60m. Default: 2s.")
    private Duration interval = Duration.ofSeconds(2);

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    /**
     * Returns the nodes to ask, in this order.
     *
     * @throws CommandFailure if option or variable is malformed
     */
    List<Endpoint> endpoints(Map<String, String> environment) {
        if (endpoints.isPresent()) {
            return Endpoint.parseAll(endpoints.get(), "--endpoints");
        }
        String variable = environment.getOrDefault(ENDPOINTS_VARIABLE, "");
        return variable.isBlank()
                ? Endpoint.parseAll(ENDPOINTS_DEFAULT, "default")
                : Endpoint.parseAll(variable, ENDPOINTS_VARIABLE);
    }

    /** Returns the time for the whole command. */
    Duration timeout() {
        return timeout;
    }

    /** Returns how data is written. */
    OutputFormat output() {
        return output;
    }

    /** Returns the time between two looks; empty to look once. */
    Optional<Duration> interval() {
        return watch ? Optional.of(interval) : Optional.empty();
    }
}
