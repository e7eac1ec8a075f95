package io.quorumlb.lbctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes a context the current one. */
@Command(description = "Make a context the one that is used unless --context names another.")
final class ConfigUseContext implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    private String name = "";

    /** Creates the command for one session. */
    ConfigUseContext(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        Contexts contexts = session.contexts();
        var _ = contexts.get(name);
        session.keep(contexts.using(name), "context %s is current".formatted(name));
        return ExitCode.YES.status();
    }
}
