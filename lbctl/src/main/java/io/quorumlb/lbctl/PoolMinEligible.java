package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.SetPoolMinEligibleRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says how many members end a pool's counting as empty. */
@Command(description = "Say how many members must take traffic until a pool that had none no longer counts as empty.")
final class PoolMinEligible implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Parameters(
            index = "1",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "1..65535; all enabled members are enough if these are fewer.")
    private int members;

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    PoolMinEligible(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        var request = SetPoolMinEligibleRequest.newBuilder()
                .setPool(pool)
                .setMinEligible(members)
                .build();
        return session.write(
                        stub -> stub.setPoolMinEligible(request),
                        (response, page) ->
                                page.line("pool %s, once empty, is so until %d members take traffic, revision %d"
                                        .formatted(pool, members, response.getRevision())))
                .status();
    }
}
