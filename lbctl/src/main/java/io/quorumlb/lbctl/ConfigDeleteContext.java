package io.quorumlb.lbctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Forgets a context. */
@Command(description = "Forget a context; the files that it names stay.")
final class ConfigDeleteContext implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    private String name = "";

    /** Creates the command for one session. */
    ConfigDeleteContext(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        Contexts contexts = session.contexts();
        var _ = contexts.get(name);
        session.keep(contexts.without(name), "context %s deleted".formatted(name));
        return ExitCode.YES.status();
    }
}
