package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ApplyRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what applying a file would change. */
@Command(
        description =
                "Show what 'lbctl apply' would change, and what would follow. Exits with 1 if it would change something.")
final class Diff implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final SiteFile file = new SiteFile();

    @Option(names = "--prune", description = "Delete what the file does not have.")
    private boolean prune;

    /** Creates the command for one session. */
    Diff(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ApplyRequest.newBuilder()
                .setSite(file.read())
                .setDryRun(true)
                .setPrune(prune)
                .build();
        var response = session.show(stub -> stub.apply(request), ApplyView.PLANNED);
        return (response.getChangesCount() == 0 ? ExitCode.YES : ExitCode.NO).status();
    }
}
