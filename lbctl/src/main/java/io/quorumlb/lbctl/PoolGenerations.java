package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Evidence;
import io.quorumlb.proto.v1.Generation;
import io.quorumlb.proto.v1.GenerationCause;
import io.quorumlb.proto.v1.GenerationEvidence;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.ListGenerationsRequest;
import io.quorumlb.proto.v1.ListGenerationsResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the latest generations of a pool with their evidence. */
@Command(
        name = "generations",
        description = "List the latest generations of a pool, newest first, each with who had seen what, since when.")
final class PoolGenerations implements Callable<Integer> {
    private static final int LIMIT = 10;

    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "At most so many; 0 is all that are kept. Default: 10.")
    private int limit = LIMIT;

    /** Creates the command for one session. */
    PoolGenerations(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListGenerationsRequest.newBuilder()
                .setPool(pool)
                .setLimit(limit)
                .build();
        session.show(stub -> stub.listGenerations(request), PoolGenerations::show);
        return ExitCode.YES.status();
    }

    private static void show(ListGenerationsResponse response, Page page) {
        Table table = new Table(">GENERATION", ">REVISION", "CAUSE", "DIGEST", ">ELIGIBLE", "REASON");
        for (Generation generation : response.getGenerationsList()) {
            table.row(
                    Cell.of(generation.getNumber()),
                    Cell.of(generation.getRevision()),
                    Cell.of(EnumWord.lower(GenerationCause.getDescriptor(), generation.getCauseValue())),
                    Cell.of(StatusView.digest(generation.getExpectedDigest())),
                    Cell.of("%d/%d".formatted(generation.getEligible(), generation.getMembers())),
                    Cell.of(generation.getReason()));
        }
        page.table(table);
        for (Generation generation : response.getGenerationsList()) {
            if (generation.getEvidenceCount() > 0) {
                page.gap().line(new Cell("evidence for %d:".formatted(generation.getNumber()), Cell.Tone.HEADING));
                generation.getEvidenceList().forEach(evidence -> page.line(sentence(evidence)));
            }
        }
    }

    private static String sentence(GenerationEvidence named) {
        Evidence evidence = named.getEvidence();
        return "%s: %s had seen it %s for %s%s"
                .formatted(
                        named.getMember(),
                        evidence.getObserver(),
                        EnumWord.lower(Health.getDescriptor(), evidence.getHealthValue()),
                        Age.ofMillis(evidence.getSinceMillis()),
                        evidence.getDetail().isEmpty() ? "" : " (" + evidence.getDetail() + ")");
    }
}
