package io.quorumlb.lbctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows one context. */
@Command(description = "Show what a context keeps: that of --context, or the current one.")
final class ConfigShow implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    ConfigShow(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        Contexts contexts = session.contexts();
        String name = session.context(contexts)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        "there is no current context: name one with --context, or 'lbctl config use-context'"));
        ConnectionSettings settings = contexts.get(name);
        session.print(ContextTree.of(settings), (_, page) -> {
            Table table = new Table("SETTING", "VALUE");
            settings.values().forEach((key, value) -> table.row(Cell.of(key), Cell.of(value)));
            page.table(table);
        });
        return ExitCode.YES.status();
    }
}
