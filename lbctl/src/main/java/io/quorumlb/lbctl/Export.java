package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ExportRequest;
import io.quorumlb.proto.v1.Site;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Writes the configuration as a file that can be applied. */
@Command(description = "Write the configuration as YAML, or with -o json as JSON; 'lbctl apply -f' takes both.")
final class Export implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    Export(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        Site _ = session.show(
                stub -> stub.export(ExportRequest.getDefaultInstance()).getSite(),
                (site, page) -> SiteWriter.write(site).lines().forEach(page::line));
        return ExitCode.YES.status();
    }
}
