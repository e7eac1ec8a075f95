package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListLoadBalancersRequest;
import io.quorumlb.proto.v1.ListLoadBalancersResponse;
import io.quorumlb.proto.v1.LoadBalancer;
import io.quorumlb.proto.v1.LoadBalancerState;
import io.quorumlb.proto.v1.Site;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes what can be changed of a load balancer, as one change. */
@Command(description = "Change a load balancer: state, description, labels. What is not given stays.")
final class LbSet implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the load balancer.")
    private String name = "";

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "enabled, or disabled: no node announces its VIPs; the switches go on with what still arrives.")
    private Optional<String> state = Optional.empty();

    @Option(names = "--description", paramLabel = "TEXT", description = "At most 255 characters.")
    private Optional<String> description = Optional.empty();

    @Mixin
    private final LabelChange labels = new LabelChange();

    /** Creates the command for one session. */
    LbSet(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        // An option that cannot be read is said before anybody is asked.
        var _ = changed(LoadBalancer.getDefaultInstance());
        var request = ListLoadBalancersRequest.newBuilder().setName(name).build();
        return session.change(
                        stub -> stub.listLoadBalancers(request),
                        (ListLoadBalancersResponse present) -> Change.of(
                                Site.newBuilder()
                                        .addAllLoadBalancers(present.getLoadBalancersList().stream()
                                                .map(this::changed)
                                                .toList()),
                                present.getRevision()))
                .status();
    }

    private LoadBalancer changed(LoadBalancer before) {
        LoadBalancer.Builder owner = before.toBuilder().clearLabels().putAllLabels(labels.of(before.getLabelsMap()));
        state.map(word -> EnumWord.parse(LoadBalancerState.values(), word, "--state"))
                .ifPresent(owner::setState);
        description.ifPresent(owner::setDescription);
        return owner.build();
    }
}
