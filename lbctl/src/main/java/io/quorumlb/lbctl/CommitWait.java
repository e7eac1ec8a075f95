package io.quorumlb.lbctl;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The option of writing commands whose effect no generation proves. */
final class CommitWait {
    @Option(
            names = "--wait",
            paramLabel = "LEVEL",
            description = "none or committed. The answer to a write comes once it is committed, so both are the same.")
    private Optional<WaitLevel> level = Optional.empty();

    /**
     * Checks the level before anything is written.
     *
     * @throws CommandFailure if it is one that cannot be proven
     */
    void check() {
        if (level.equals(Optional.of(WaitLevel.INSTALLED))) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--wait: 'installed' is not possible here, as no pool's generation shows this write;"
                            + " use committed and look at 'lbctl cluster status'");
        }
    }
}
