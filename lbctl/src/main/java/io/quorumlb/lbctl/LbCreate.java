package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.CreateLoadBalancerRequest;
import io.quorumlb.proto.v1.LoadBalancer;
import io.quorumlb.proto.v1.LoadBalancerState;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a load balancer. */
@Command(description = "Create a load balancer: the owner of one VIP, or of one of each version of IP.")
final class LbCreate implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "NAME", description = "1..63 of a-z, 0-9 and -.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "VIP", description = "For example 10.99.0.10 or fd00:99::10.")
    private String vip = "";

    @Option(names = "--vip6", paramLabel = "VIP", description = "IPv6 address beside an IPv4 one.")
    private Optional<String> vip6 = Optional.empty();

    @Option(names = "--disabled", description = "Its VIPs are not announced until it is enabled.")
    private boolean disabled;

    @Option(names = "--description", paramLabel = "TEXT", description = "At most 255 characters.")
    private String description = "";

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    LbCreate(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        LoadBalancer.Builder owner = LoadBalancer.newBuilder()
                .setName(name)
                .setState(
                        disabled
                                ? LoadBalancerState.LOAD_BALANCER_STATE_DISABLED
                                : LoadBalancerState.LOAD_BALANCER_STATE_ENABLED)
                .setDescription(description)
                .putAllLabels(labels.labels());
        if (vip.contains(":") && vip6.isEmpty()) {
            owner.setVip6(vip);
        } else {
            owner.setVip(vip);
        }
        vip6.ifPresent(owner::setVip6);
        var request =
                CreateLoadBalancerRequest.newBuilder().setLoadBalancer(owner).build();
        return session.write(
                        stub -> stub.createLoadBalancer(request),
                        (response, page) -> page.line("load balancer %s created with id %d, revision %d"
                                .formatted(name, response.getId(), response.getRevision())))
                .status();
    }
}
