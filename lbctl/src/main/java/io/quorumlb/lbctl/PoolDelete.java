package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DeletePoolRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes a pool. */
@Command(description = "Delete a pool.")
final class PoolDelete implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the pool.")
    private String name = "";

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    PoolDelete(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        var request = DeletePoolRequest.newBuilder().setName(name).build();
        return session.write(
                        stub -> stub.deletePool(request),
                        (response, page) ->
                                page.line("pool %s deleted, revision %d".formatted(name, response.getRevision())))
                .status();
    }
}
