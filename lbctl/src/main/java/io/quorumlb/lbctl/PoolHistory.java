package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Evidence;
import io.quorumlb.proto.v1.Generation;
import io.quorumlb.proto.v1.GenerationCause;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.ListGenerationsRequest;
import io.quorumlb.proto.v1.ListGenerationsResponse;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists the generations of a pool, one a line. */
@Command(
        name = "history",
        description =
                "List the generations of a pool that are kept, newest first, one a line: why, and who had seen what.")
final class PoolHistory implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    /** Creates the command for one session. */
    PoolHistory(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListGenerationsRequest.newBuilder().setPool(pool).build();
        session.show(stub -> stub.listGenerations(request), PoolHistory::show);
        return ExitCode.YES.status();
    }

    private static void show(ListGenerationsResponse response, Page page) {
        Table table = new Table(">GENERATION", ">REVISION", "CAUSE", ">ELIGIBLE", "REASON", "SEEN BY");
        for (Generation generation : response.getGenerationsList()) {
            table.row(
                    Cell.of(generation.getNumber()),
                    Cell.of(generation.getRevision()),
                    Cell.of(EnumWord.lower(GenerationCause.getDescriptor(), generation.getCauseValue())),
                    Cell.of("%d/%d".formatted(generation.getEligible(), generation.getMembers())),
                    Cell.of(generation.getReason()),
                    Cell.of(generation.getEvidenceList().stream()
                            .map(named -> named.getMember() + " " + seen(named.getEvidence()))
                            .collect(Collectors.joining(", "))));
        }
        page.table(table);
    }

    private static String seen(Evidence evidence) {
        return "%s by %s"
                .formatted(EnumWord.lower(Health.getDescriptor(), evidence.getHealthValue()), evidence.getObserver());
    }
}
