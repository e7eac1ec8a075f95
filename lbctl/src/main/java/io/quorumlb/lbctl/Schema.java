package io.quorumlb.lbctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Writes the JSON Schema of site files. */
@Command(description = "Write the JSON Schema of the files that 'lbctl apply' takes, for editors.")
final class Schema implements Callable<Integer> {
    private final Session session;

    /** Creates the command; it asks nobody. */
    Schema(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        session.copy(SiteSchema.write());
        return ExitCode.YES.status();
    }
}
