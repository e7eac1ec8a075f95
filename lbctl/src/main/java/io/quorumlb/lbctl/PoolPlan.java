package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GenerationCause;
import io.quorumlb.proto.v1.GetPoolPlanRequest;
import io.quorumlb.proto.v1.GetPoolPlanResponse;
import io.quorumlb.proto.v1.PlannedGeneration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what the leader would do about a pool now, and what holds it. */
@Command(
        description =
                "Show what would be done about a pool now, which guards hold it back, and what it would make of each member's"
                        + " slots. COLLATERAL are lost slots that no change of an effective weight asked for.")
final class PoolPlan implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    /** Creates the command for one session. */
    PoolPlan(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = GetPoolPlanRequest.newBuilder().setPool(pool).build();
        var response = session.show(stub -> stub.getPoolPlan(request), this::show);
        return (response.getHoldsCount() == 0 ? ExitCode.YES : ExitCode.NO).status();
    }

    private void show(GetPoolPlanResponse plan, Page page) {
        page.line("pool %s, generation %d%s, as %s sees it"
                .formatted(
                        pool, plan.getGeneration(), SharesTable.behind(plan.getListenersList()), plan.getAnsweredBy()));
        if (plan.hasNext()) {
            page.line("next: " + sentence(plan.getNext()));
        } else if (plan.getHoldsCount() == 0) {
            page.line(new Cell("nothing is due and nothing is held", Cell.Tone.GOOD));
        } else {
            page.line("next: nothing");
        }
        plan.getHoldsList()
                .forEach(hold -> page.line(
                        new Cell("held: %s: %s".formatted(hold.getCode(), hold.getDetail()), Cell.Tone.DOUBTFUL)));
        if (plan.getHoldsCount() > 0 && plan.hasUnguarded()) {
            page.line("without guards: " + sentence(plan.getUnguarded()));
            page.line("to let it pass once: lbctl pool override %s --generation %d"
                    .formatted(pool, plan.getGeneration()));
        }
        if (plan.hasNext() || plan.hasUnguarded()) {
            page.gap().table(SharesTable.of(plan.getMembersList()));
        }
    }

    private static String sentence(PlannedGeneration next) {
        return "generation %d, %s: %s; %d slots move, %d of them needlessly; digest %s"
                .formatted(
                        next.getNumber(),
                        EnumWord.lower(GenerationCause.getDescriptor(), next.getCauseValue()),
                        next.getReason(),
                        next.getMoved(),
                        next.getCollateral(),
                        StatusView.digest(next.getExpectedDigest()));
    }
}
