package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DeleteLoadBalancerRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes a load balancer without listeners. */
@Command(description = "Delete a load balancer that no listener names.")
final class LbDelete implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the load balancer.")
    private String name = "";

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    LbDelete(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        var request = DeleteLoadBalancerRequest.newBuilder().setName(name).build();
        return session.write(
                        stub -> stub.deleteLoadBalancer(request),
                        (response, page) -> page.line(
                                "load balancer %s deleted, revision %d".formatted(name, response.getRevision())))
                .status();
    }
}
