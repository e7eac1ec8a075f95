package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.MemberRollback;
import io.quorumlb.proto.v1.RollbackPoolRequest;
import io.quorumlb.proto.v1.RollbackPoolResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Configures a pool's members as they were in an earlier generation. */
@Command(
        description =
                "Configure a pool's members as they were in an earlier generation: weight, ceiling, enabled or drained."
                        + " Members created since are drained; health and guards rule as ever.")
final class PoolRollback implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Parameters(
            index = "1",
            paramLabel = "GENERATION",
            converter = RevisionConverter.class,
            description = "Number of a generation; 'lbctl pool history' lists them.")
    private long generation;

    @Option(names = "--dry-run", description = "Only show what would happen.")
    private boolean dryRun;

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Creates the command for one session. */
    PoolRollback(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = RollbackPoolRequest.newBuilder()
                .setPool(pool)
                .setGeneration(generation)
                .setDryRun(dryRun)
                .build();
        if (dryRun) {
            session.show(stub -> stub.rollbackPool(request), this::show);
            return ExitCode.YES.status();
        }
        return session.writeProvable(
                        wait.level(WaitLevel.INSTALLED),
                        stub -> stub.rollbackPool(request),
                        pool,
                        RollbackPoolResponse::getRevision,
                        "pool %s configured as in generation %d".formatted(pool, generation),
                        this::show)
                .status();
    }

    private void show(RollbackPoolResponse response, Page page) {
        if (response.getMembersCount() == 0) {
            page.line("pool %s is configured as in generation %d already".formatted(pool, generation));
            return;
        }
        Table table = new Table("MEMBER", "WEIGHT", "ADMIN", "CEILING", "NOTE");
        for (MemberRollback member : response.getMembersList()) {
            table.row(
                    Cell.of(member.getMember()),
                    Cell.of(change(
                            Integer.toString(member.getWeightBefore()), Integer.toString(member.getWeightAfter()))),
                    Cell.of(change(admin(member.getAdminBeforeValue()), admin(member.getAdminAfterValue()))),
                    Cell.of(change(
                            Integer.toString(member.getCeilingBefore()), Integer.toString(member.getCeilingAfter()))),
                    Cell.of(member.getCreatedSince() ? "created since" : ""));
        }
        page.table(table);
        if (response.hasChange()) {
            ApplyView.show(response.getChange(), page);
        } else {
            page.line("revision %d".formatted(response.getRevision()));
        }
    }

    private static String admin(int value) {
        return EnumWord.lower(AdminState.getDescriptor(), value);
    }

    private static String change(String before, String after) {
        return before.equals(after) ? after : before + " -> " + after;
    }
}
