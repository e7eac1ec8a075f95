package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListPoolsRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one pool with all its fields. */
@Command(description = "Show one pool with all its fields.")
final class PoolShow implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the pool.")
    private String name = "";

    /** Creates the command for one session. */
    PoolShow(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListPoolsRequest.newBuilder().setName(name).build();
        session.show(
                stub -> stub.listPools(request),
                (response, page) -> response.getPoolsList()
                        .forEach(pool -> new Fields().add(pool).show(page)));
        return ExitCode.YES.status();
    }
}
