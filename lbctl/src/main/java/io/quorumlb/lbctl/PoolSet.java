package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.Site;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes what can be changed of a pool, as one change. */
@Command(description = "Change a pool: monitor, guards, min-eligible, labels. What is not given stays.")
final class PoolSet implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the pool.")
    private String name = "";

    @Option(
            names = "--min-eligible",
            paramLabel = "N",
            converter = CountConverter.class,
            description =
                    "Once it counts as empty, so many members must take traffic until it no longer does; 1..65535.")
    private Optional<Integer> minEligible = Optional.empty();

    @Mixin
    private final MonitorChange monitor = new MonitorChange();

    @Mixin
    private final GuardOptions guards = new GuardOptions();

    @Mixin
    private final LabelChange labels = new LabelChange();

    /** Creates the command for one session. */
    PoolSet(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        // An option that cannot be read is said before anybody is asked.
        var _ = changed(Pool.getDefaultInstance());
        var request = ListPoolsRequest.newBuilder().setName(name).build();
        return session.change(
                        stub -> stub.listPools(request),
                        (ListPoolsResponse present) -> Change.of(
                                Site.newBuilder()
                                        .addAllPools(present.getPoolsList().stream()
                                                .map(this::changed)
                                                .toList()),
                                present.getRevision()))
                .status();
    }

    private Pool changed(Pool before) {
        Pool.Builder pool = before.toBuilder()
                .clearOverride()
                .setMonitor(monitor.of(before.getMonitor()))
                .setGuards(before.getGuards().toBuilder().mergeFrom(guards.guards()))
                .clearLabels()
                .putAllLabels(labels.of(before.getLabelsMap()));
        minEligible.ifPresent(pool::setMinEligible);
        return pool.build();
    }
}
