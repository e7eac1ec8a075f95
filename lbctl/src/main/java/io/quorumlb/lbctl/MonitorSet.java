package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.ListHealthMonitorsRequest;
import io.quorumlb.proto.v1.ListHealthMonitorsResponse;
import io.quorumlb.proto.v1.PoolMonitor;
import io.quorumlb.proto.v1.SetHealthMonitorRequest;
import io.quorumlb.proto.v1.SetHealthMonitorResponse;
import io.quorumlb.proto.v1.WriteOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Changes how the members of a pool are probed. */
@Command(description = "Change how the members of a pool are probed. What is not given stays.")
final class MonitorSet implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Mixin
    private final MonitorChange change = new MonitorChange();

    /** Creates the command for one session. */
    MonitorSet(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        // An option that cannot be read is said before anybody is asked.
        var _ = change.of(HealthMonitor.getDefaultInstance());
        var request = ListHealthMonitorsRequest.newBuilder().setName(pool).build();
        return session.readAndWrite(stub -> stub.listHealthMonitors(request), this::write)
                .status();
    }

    private Session.Write<SetHealthMonitorResponse> write(ListHealthMonitorsResponse present) {
        PoolMonitor before = present.getMonitorsList().stream()
                .filter(entry -> entry.getPool().equals(pool))
                .findFirst()
                .orElseThrow(
                        () -> new CommandFailure(ExitCode.UNKNOWN, "the node lists another pool; ask another node"));
        HealthMonitor wanted = change.of(before.getMonitor());
        var request = SetHealthMonitorRequest.newBuilder()
                .setPool(pool)
                .setMonitor(wanted)
                .setOptions(WriteOptions.newBuilder().setExpectedObjectRevision(before.getRevision()))
                .build();
        String done =
                wanted.equals(before.getMonitor()) ? "nothing to change" : "monitor of pool %s set".formatted(pool);
        return new Session.Write<>(
                stub -> stub.setHealthMonitor(request),
                (response, page) -> page.line("%s, revision %d".formatted(done, response.getRevision())));
    }
}
