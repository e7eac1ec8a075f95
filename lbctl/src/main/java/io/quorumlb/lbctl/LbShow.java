package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListLoadBalancersRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one load balancer with all its fields. */
@Command(description = "Show one load balancer with all its fields.")
final class LbShow implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the load balancer.")
    private String name = "";

    /** Creates the command for one session. */
    LbShow(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListLoadBalancersRequest.newBuilder().setName(name).build();
        session.show(
                stub -> stub.listLoadBalancers(request),
                (response, page) -> response.getLoadBalancersList()
                        .forEach(owner -> new Fields().add(owner).show(page)));
        return ExitCode.YES.status();
    }
}
