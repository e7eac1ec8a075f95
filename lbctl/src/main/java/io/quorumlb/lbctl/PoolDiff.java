package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DiffGenerationsRequest;
import io.quorumlb.proto.v1.DiffGenerationsResponse;
import io.quorumlb.proto.v1.MemberDifference;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what differs between two generations of a pool. */
@Command(description = "Show what differs between two generations of a pool; status 1 if slots have moved.")
final class PoolDiff implements Callable<Integer> {
    private static final int BAR_MAX = 30;

    private final Session session;

    @Parameters(index = "0", paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Parameters(
            index = "1",
            paramLabel = "FROM",
            converter = RevisionConverter.class,
            description = "Number of a generation; 'lbctl pool history' lists them.")
    private long from;

    @Parameters(
            index = "2",
            paramLabel = "TO",
            arity = "0..1",
            converter = RevisionConverter.class,
            description = "Number of another one. Default: the present one.")
    private long to;

    /** Creates the command for one session. */
    PoolDiff(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = DiffGenerationsRequest.newBuilder()
                .setPool(pool)
                .setFrom(from)
                .setTo(to)
                .build();
        var response = session.show(stub -> stub.diffGenerations(request), this::show);
        return (response.getMoved() == 0 ? ExitCode.YES : ExitCode.NO).status();
    }

    private void show(DiffGenerationsResponse diff, Page page) {
        page.line("pool %s, generation %d -> %d: %d of %d slots have another owner, %d of them needlessly"
                .formatted(
                        pool,
                        diff.getFrom(),
                        diff.getTo(),
                        diff.getMoved(),
                        diff.getSlotsAfter(),
                        diff.getForeignMoved()));
        Table table =
                new Table("MEMBER", "ADDRESS", "WEIGHT", "EFFECTIVE", ">SLOTS", ">DIFFERENCE", "BEFORE AND AFTER");
        int most = diff.getMembersList().stream()
                .mapToInt(member -> Math.max(member.getMemberSlotsBefore(), member.getMemberSlotsAfter()))
                .max()
                .orElse(0);
        for (MemberDifference member : diff.getMembersList()) {
            int more = member.getMemberSlotsAfter() - member.getMemberSlotsBefore();
            table.row(
                    Cell.of(member.getName().isEmpty() ? "(deleted)" : member.getName()),
                    Cell.of(member.getAddress()),
                    Cell.of(change(member.getWeightBefore(), member.getWeightAfter())),
                    Cell.of(change(member.getEffectiveBefore(), member.getEffectiveAfter())),
                    Cell.of(member.getMemberSlotsAfter()),
                    Cell.of(more == 0 ? "" : "%+d".formatted(more)),
                    Cell.of(bars(member, most)));
        }
        page.table(table);
    }

    private static String change(int before, int after) {
        return before == after ? Integer.toString(after) : before + " -> " + after;
    }

    /** What a member has in both is solid; what it has lost or won stands behind that. */
    private static String bars(MemberDifference member, int most) {
        int before = length(member.getMemberSlotsBefore(), most);
        int after = length(member.getMemberSlotsAfter(), most);
        return "#".repeat(Math.min(before, after)) + (after >= before ? "+" : "-").repeat(Math.abs(after - before));
    }

    private static int length(int slots, int most) {
        return most == 0 ? 0 : (int) Math.ceil((double) slots * BAR_MAX / most);
    }
}
