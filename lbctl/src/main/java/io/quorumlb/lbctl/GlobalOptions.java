package io.quorumlb.lbctl;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command takes, before or after the verb. */
final class GlobalOptions {
    /** Variable that names the endpoints when the option does not. */
    static final String ENDPOINTS_VARIABLE = "LBCTL_ENDPOINTS";

    private static final String CONTEXT_VARIABLE = "LBCTL_CONTEXT";
    private static final String ENDPOINTS_DEFAULT = "127.0.0.1:7403";

    @Option(
            names = "--endpoints",
            scope = ScopeType.INHERIT,
            paramLabel = "H:P,...",
            description =
                    "JSON ports of nodes to ask; the next one if one cannot be reached. https://H:P is reached over TLS, "
                            + "H:P too if a CA is given. Default: LBCTL_ENDPOINTS, the context's, or "
                            + ENDPOINTS_DEFAULT
                            + ".")
    private Optional<String> endpoints = Optional.empty();

    @Option(
            names = "--context",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description = "Use the settings of a context ('lbctl config'). Default: LBCTL_CONTEXT, or the current one.")
    private Optional<String> context = Optional.empty();

    @Option(
            names = "--tls-ca",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "Certificates (PEM) that sign those of the nodes. Default: LBCTL_TLS_CA, or the context's.")
    private Optional<String> tlsCa = Optional.empty();

    @Option(
            names = "--tls-cert",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "Certificate (PEM) that says who asks. Default: LBCTL_TLS_CERT, or the context's.")
    private Optional<String> tlsCert = Optional.empty();

    @Option(
            names = "--tls-key",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "Its key (PEM). Default: LBCTL_TLS_KEY, or the context's.")
    private Optional<String> tlsKey = Optional.empty();

    @Option(
            names = "--tls-server-name",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description =
                    "Name in the nodes' certificates. Default: LBCTL_TLS_SERVER_NAME, the context's, or the endpoint's.")
    private Optional<String> tlsServerName = Optional.empty();

    @Option(
            names = "--token-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "File with a token that says who asks. Default: LBCTL_TOKEN_FILE, or the context's.")
    private Optional<String> tokenFile = Optional.empty();

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
            description =
                    "table, wide (lists with labels, revision and id), json (proto3 JSON of the response) or yaml (the same)."
                            + " Default: table.")
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

    /** Returns what the options say of how a cluster is reached. */
    ConnectionSettings given() {
        SortedMap<String, String> values = new TreeMap<>();
        endpoints.ifPresent(value -> values.put(ConnectionSettings.ENDPOINTS, value));
        tlsCa.ifPresent(value -> values.put(ConnectionSettings.TLS_CA, value));
        tlsCert.ifPresent(value -> values.put(ConnectionSettings.TLS_CERT, value));
        tlsKey.ifPresent(value -> values.put(ConnectionSettings.TLS_KEY, value));
        tlsServerName.ifPresent(value -> values.put(ConnectionSettings.TLS_SERVER_NAME, value));
        tokenFile.ifPresent(value -> values.put(ConnectionSettings.TOKEN_FILE, value));
        return new ConnectionSettings(values);
    }

    /** Returns the name of the context that option or variable ask for. */
    Optional<String> context(Map<String, String> environment) {
        return context.or(() ->
                Optional.of(environment.getOrDefault(CONTEXT_VARIABLE, "")).filter(name -> !name.isBlank()));
    }

    /**
     * Returns the way to the nodes to ask: options before variables before the context.
     *
     * @throws CommandFailure if one of them is malformed, or a file cannot be used
     */
    Connection connection(Map<String, String> environment) {
        ConnectionSettings options = given();
        ConnectionSettings variables = ConnectionSettings.of(environment);
        Contexts contexts = ContextFile.read(environment);
        Optional<String> name = context(environment).or(contexts::current);
        ConnectionSettings kept = name.map(contexts::get).orElseGet(() -> new ConnectionSettings(new TreeMap<>()));
        ConnectionSettings all = options.over(variables).over(kept);
        String origin;
        if (options.get(ConnectionSettings.ENDPOINTS).isPresent()) {
            origin = "--endpoints";
        } else if (variables.get(ConnectionSettings.ENDPOINTS).isPresent()) {
            origin = ENDPOINTS_VARIABLE;
        } else {
            origin = "context " + name.orElse("");
        }
        String text = all.get(ConnectionSettings.ENDPOINTS).orElse(ENDPOINTS_DEFAULT);
        return Connection.of(Endpoint.parseAll(text, origin), all);
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
