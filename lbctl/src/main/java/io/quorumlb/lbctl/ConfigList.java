package io.quorumlb.lbctl;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Lists the contexts. */
@Command(description = "List the contexts; * is the current one.")
final class ConfigList implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    ConfigList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        Contexts contexts = session.contexts();
        session.print(ContextTree.of(contexts), (_, page) -> {
            Table table = new Table("CURRENT", "CONTEXT", "ENDPOINTS", "AS");
            contexts.byName()
                    .forEach((name, settings) -> table.row(
                            Cell.of(contexts.current().equals(Optional.of(name)) ? "*" : ""),
                            Cell.of(name),
                            Cell.of(settings.get(ConnectionSettings.ENDPOINTS).orElse("")),
                            Cell.of(settings.get(ConnectionSettings.TOKEN_FILE)
                                    .or(() -> settings.get(ConnectionSettings.TLS_CERT))
                                    .orElse(""))));
            page.table(table);
        });
        return ExitCode.YES.status();
    }
}
