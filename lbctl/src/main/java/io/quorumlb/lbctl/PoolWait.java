package io.quorumlb.lbctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Waits until every reachable node has proven a pool's table from its switch. */
@Command(
        description = "Wait until every reachable node has proven the pool's table from its switch, --timeout at most; "
                + "without an option: the table of its present generation.")
final class PoolWait implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Option(
            names = "--generation",
            paramLabel = "N",
            converter = RevisionConverter.class,
            description = "Wait for this generation or a later one, from 1.")
    private long generation;

    @Option(
            names = "--revision",
            paramLabel = "N",
            converter = RevisionConverter.class,
            description =
                    "Wait for a generation that reflects this revision of the configuration, from 1: what a write answered.")
    private long revision;

    /** Creates the command for one session. */
    PoolWait(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        if (generation > 0 && revision > 0) {
            throw new CommandFailure(ExitCode.USAGE, "--generation and --revision: one of them only");
        }
        return session.prove(new AwaitedProof(pool, generation, revision)).status();
    }
}
