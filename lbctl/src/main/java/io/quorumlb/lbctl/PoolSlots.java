package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetPoolSlotsRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the slot table of a pool's current generation. */
@Command(description = "Show the slot table of a pool's current generation.")
final class PoolSlots implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    /** Creates the command for one session. */
    PoolSlots(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = GetPoolSlotsRequest.newBuilder().setPool(pool).build();
        var response = session.show(stub -> stub.getPoolSlots(request), new SlotsView(pool));
        boolean asCommitted = SlotsDigest.check(response) != SlotsDigest.DIFFERENT;
        return (asCommitted ? ExitCode.YES : ExitCode.NO).status();
    }
}
