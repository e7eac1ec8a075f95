package io.quorumlb.lbctl;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The option of writing commands whose effect a pool's generation proves. */
final class ProvableWait {
    @Option(
            names = "--wait",
            paramLabel = "LEVEL",
            description = "none, committed, or installed: until every reachable node has proven it from its switch. "
                    + "The answer to a write comes once it is committed, so none adds nothing to that.")
    private Optional<WaitLevel> level = Optional.empty();

    /** Returns what was asked for, or else the command's own level. */
    WaitLevel level(WaitLevel otherwise) {
        return level.orElse(otherwise);
    }
}
