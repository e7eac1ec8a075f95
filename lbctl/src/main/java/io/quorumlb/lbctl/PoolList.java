package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.MonitorType;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the pools. */
@Command(description = "List the pools.")
final class PoolList implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final ListOptions options = new ListOptions();

    /** Creates the command for one session. */
    PoolList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListPoolsRequest.newBuilder().setLabelSelector(options.selector());
        session.showAll(
                new Paged<>(
                        (stub, token) ->
                                stub.listPools(request.setPageToken(token).build()),
                        ListPoolsResponse::getNextPageToken,
                        (all, page) -> all.toBuilder()
                                .mergeFrom(page)
                                .setNextPageToken(page.getNextPageToken())
                                .build()),
                PoolList::view);
        return ExitCode.YES.status();
    }

    private static void view(ListPoolsResponse response, Page page) {
        var table = new ObjectTable(
                page,
                "POOL",
                ">ID",
                "ALGORITHM",
                ">SLOTS",
                "MONITOR",
                "ASKS",
                ">INTERVAL",
                ">TIMEOUT",
                ">FAST",
                ">RISE",
                ">FALL",
                ">MIN-ELIGIBLE");
        response.getPoolsList().forEach(pool -> {
            HealthMonitor monitor = pool.getMonitor();
            table.row(
                    pool.getId(),
                    pool.getLabelsMap(),
                    pool.getRevision(),
                    Cell.of(pool.getName()),
                    Cell.of(pool.getId()),
                    Cell.of(EnumWord.lower(HashAlgorithm.getDescriptor(), pool.getAlgorithmValue())),
                    Cell.of(pool.getSlots()),
                    Cell.of(EnumWord.lower(MonitorType.getDescriptor(), monitor.getTypeValue())),
                    Cell.of(MonitorText.of(monitor)),
                    Cell.of(Age.exact(monitor.getIntervalMillis())),
                    Cell.of(Age.exact(monitor.getTimeoutMillis())),
                    Cell.of(Age.exact(monitor.getFastIntervalMillis())),
                    Cell.of(monitor.getRise()),
                    Cell.of(monitor.getFall()),
                    Cell.of(Math.max(1, pool.getMinEligible())));
        });
        table.show();
    }
}
