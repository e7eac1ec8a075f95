package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.PoolGuards;
import io.quorumlb.proto.v1.SetPoolGuardsRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows how a pool's table is guarded, or changes that. */
@Command(
        description = "Show how a pool's table is kept from changing too much or too often; with options, change that.")
final class PoolGuardsCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Mixin
    private final GuardOptions options = new GuardOptions();

    /** Creates the command for one session. */
    PoolGuardsCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        PoolGuards guards = options.guards();
        if (guards.equals(PoolGuards.getDefaultInstance())) {
            var request = ListPoolsRequest.newBuilder().setName(pool).build();
            ListPoolsResponse response = session.show(stub -> stub.listPools(request), this::show);
            boolean known =
                    response.getPoolsList().stream().anyMatch(it -> it.getName().equals(pool));
            return (known ? ExitCode.YES : ExitCode.NO).status();
        }
        var request = SetPoolGuardsRequest.newBuilder()
                .setPool(pool)
                .setGuards(guards)
                .build();
        return session.write(stub -> stub.setPoolGuards(request), (response, page) -> {
                    page.line("pool %s guarded anew, revision %d".formatted(pool, response.getRevision()));
                    page.gap().table(table(response.getGuards()));
                })
                .status();
    }

    private void show(ListPoolsResponse response, Page page) {
        response.getPoolsList().stream()
                .filter(it -> it.getName().equals(pool))
                .findFirst()
                .ifPresentOrElse(
                        it -> page.table(table(it.getGuards())),
                        () -> page.line("pool %s does not exist".formatted(pool)));
    }

    private static Table table(PoolGuards guards) {
        Table table = new Table("GUARD", ">VALUE", "MEANING");
        row(table, "mass-failure", guards.getMassFailurePercent() + "%", "more down at once needs all fresh voters");
        row(table, "max-moved", guards.getMovedMaxPercent() + "%", "most slots that a change may move without need");
        row(table, "panic", guards.getPanicPercent() + "%", "less healthy weight: all enabled members; 0% is off");
        row(table, "flap-limit", guards.getFlapLimit() + "", "penalty above which a member is held down; 0 is off");
        row(table, "flap-reuse", guards.getFlapReuse() + "", "penalty below which it may come back");
        row(table, "flap-half-life", Age.exact(guards.getFlapHalfLifeMillis()), "the penalty halves in this time");
        row(
                table,
                "min-generation-interval",
                Age.exact(guards.getGenerationIntervalMillis()),
                "between generations that only health asks for");
        row(table, "settle-max", Age.exact(guards.getSettleMaxMillis()), "a new leader waits at most so long");
        return table;
    }

    private static void row(Table table, String guard, String value, String meaning) {
        table.row(Cell.of(guard), Cell.of(value), Cell.of(meaning));
    }
}
