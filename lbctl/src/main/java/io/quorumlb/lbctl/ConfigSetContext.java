package io.quorumlb.lbctl;

import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Keeps a way to a cluster under a name. */
@Command(
        description =
                "Keep --endpoints, --tls-ca, --tls-cert, --tls-key, --tls-server-name and --token-file of this line "
                        + "under a name; what the line does not give stays as it was. The first context becomes the current one.")
final class ConfigSetContext implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    private String name = "";

    /** Creates the command for one session. */
    ConfigSetContext(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        if (!ContextText.NAME.matcher(name).matches()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "NAME '%s': 1..63 letters, digits and . _ - expected, a letter or digit first".formatted(name));
        }
        ConnectionSettings given = session.given();
        if (given.values().isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "nothing to keep: give --endpoints, or another of the options");
        }
        given.get(ConnectionSettings.ENDPOINTS).ifPresent(text -> Endpoint.parseAll(text, "--endpoints"));
        Contexts contexts = session.contexts();
        ConnectionSettings before = contexts.byName().getOrDefault(name, new ConnectionSettings(new TreeMap<>()));
        Contexts next = contexts.with(name, given.over(before));
        session.keep(next.current().isPresent() ? next : next.using(name), "context %s set".formatted(name));
        return ExitCode.YES.status();
    }
}
