package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListLoadBalancersRequest;
import io.quorumlb.proto.v1.ListLoadBalancersResponse;
import io.quorumlb.proto.v1.LoadBalancer;
import io.quorumlb.proto.v1.LoadBalancerState;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the load balancers. */
@Command(description = "List the load balancers.")
final class LbList implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final ListOptions options = new ListOptions();

    /** Creates the command for one session. */
    LbList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListLoadBalancersRequest.newBuilder().setLabelSelector(options.selector());
        session.showAll(
                new Paged<>(
                        (stub, token) -> stub.listLoadBalancers(
                                request.setPageToken(token).build()),
                        ListLoadBalancersResponse::getNextPageToken,
                        (all, page) -> all.toBuilder()
                                .mergeFrom(page)
                                .setNextPageToken(page.getNextPageToken())
                                .build()),
                LbList::view);
        return ExitCode.YES.status();
    }

    private static void view(ListLoadBalancersResponse response, Page page) {
        var table = new ObjectTable(page, "LOAD BALANCER", "VIPS", "STATE", "DESCRIPTION");
        response.getLoadBalancersList().forEach(owner -> {
            Cell state = Cell.of(EnumWord.lower(LoadBalancerState.getDescriptor(), owner.getStateValue()));
            table.row(
                    owner.getId(),
                    owner.getLabelsMap(),
                    owner.getRevision(),
                    Cell.of(owner.getName()),
                    Cell.of(vips(owner)),
                    owner.getState() == LoadBalancerState.LOAD_BALANCER_STATE_DISABLED
                            ? state.toned(Cell.Tone.DOUBTFUL)
                            : state,
                    Cell.of(owner.getDescription()));
        });
        table.show();
    }

    private static String vips(LoadBalancer owner) {
        return Stream.of(owner.getVip(), owner.getVip6())
                .filter(vip -> !vip.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
