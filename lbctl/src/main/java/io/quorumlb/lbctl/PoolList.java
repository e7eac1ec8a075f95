package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.MonitorType;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Lists the pools. */
@Command(name = "list", description = "List the pools.")
final class PoolList implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    PoolList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListPoolsRequest.getDefaultInstance();
        session.show(stub -> stub.listPools(request), PoolList::view);
        return ExitCode.YES.status();
    }

    private static void view(ListPoolsResponse response, Page page) {
        Table table = new Table(
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
        page.table(table);
    }
}
