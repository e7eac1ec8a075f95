package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListHealthMonitorsRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the health monitor of one pool with all its fields. */
@Command(description = "Show the health monitor of one pool with all its fields.")
final class MonitorShow implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    /** Creates the command for one session. */
    MonitorShow(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListHealthMonitorsRequest.newBuilder().setName(pool).build();
        session.show(
                stub -> stub.listHealthMonitors(request),
                (response, page) -> response.getMonitorsList()
                        .forEach(monitor -> new Fields().add(monitor).show(page)));
        return ExitCode.YES.status();
    }
}
