package io.quorumlb.lbctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Writes the JSON Schema of site files. */
@Command(name = "schema", description = "Write the JSON Schema of the files that 'lbctl apply' takes, for editors.")
final class Schema implements Callable<Integer> {
    private final Console console;

    /** Creates the command; it asks nobody. */
    Schema(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        console.out().print(SiteSchema.write());
        return ExitCode.YES.status();
    }
}
