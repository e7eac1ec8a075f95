package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.ListHealthMonitorsRequest;
import io.quorumlb.proto.v1.ListHealthMonitorsResponse;
import io.quorumlb.proto.v1.MonitorType;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the health monitors. */
@Command(description = "List the health monitors, one of each pool.")
final class MonitorList implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final ListOptions options = new ListOptions();

    /** Creates the command for one session. */
    MonitorList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListHealthMonitorsRequest.newBuilder().setLabelSelector(options.selector());
        session.showAll(
                new Paged<>(
                        (stub, token) -> stub.listHealthMonitors(
                                request.setPageToken(token).build()),
                        ListHealthMonitorsResponse::getNextPageToken,
                        (all, page) -> all.toBuilder()
                                .mergeFrom(page)
                                .setNextPageToken(page.getNextPageToken())
                                .build()),
                MonitorList::view);
        return ExitCode.YES.status();
    }

    private static void view(ListHealthMonitorsResponse response, Page page) {
        var table = new ObjectTable(page, "POOL", "TYPE", "ASKS", ">INTERVAL", ">TIMEOUT", ">FAST", ">RISE", ">FALL");
        response.getMonitorsList().forEach(entry -> {
            HealthMonitor monitor = entry.getMonitor();
            table.row(
                    entry.getPoolId(),
                    entry.getLabelsMap(),
                    entry.getRevision(),
                    Cell.of(entry.getPool()),
                    Cell.of(EnumWord.lower(MonitorType.getDescriptor(), monitor.getTypeValue())),
                    Cell.of(MonitorText.of(monitor)),
                    Cell.of(Age.exact(monitor.getIntervalMillis())),
                    Cell.of(Age.exact(monitor.getTimeoutMillis())),
                    Cell.of(Age.exact(monitor.getFastIntervalMillis())),
                    Cell.of(monitor.getRise()),
                    Cell.of(monitor.getFall()));
        });
        table.show();
    }
}
