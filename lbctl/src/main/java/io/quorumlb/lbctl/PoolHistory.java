package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Evidence;
import io.quorumlb.proto.v1.Generation;
import io.quorumlb.proto.v1.GenerationCause;
import io.quorumlb.proto.v1.GenerationEvidence;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.ListGenerationsRequest;
import io.quorumlb.proto.v1.ListGenerationsResponse;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the generations of a pool, one a line. */
@Command(
        description =
                "List the generations of a pool that are kept, newest first, one a line: why, and who had seen what; "
                        + "-o wide: digests, and since when each had seen it.")
final class PoolHistory implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "At most so many; 0 is all that are kept. Default: 0.")
    private int limit;

    /** Creates the command for one session. */
    PoolHistory(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListGenerationsRequest.newBuilder()
                .setPool(pool)
                .setLimit(limit)
                .build();
        session.show(stub -> stub.listGenerations(request), PoolHistory::show);
        return ExitCode.YES.status();
    }

    private static void show(ListGenerationsResponse response, Page page) {
        boolean wide = page.width() == Page.Width.WIDE;
        Table table =
                new Table(">GENERATION", ">REVISION", "CAUSE", ">ELIGIBLE", "REASON", wide ? "DIGEST" : "SEEN BY");
        for (Generation generation : response.getGenerationsList()) {
            table.row(
                    Cell.of(generation.getNumber()),
                    Cell.of(generation.getRevision()),
                    Cell.of(EnumWord.lower(GenerationCause.getDescriptor(), generation.getCauseValue())),
                    Cell.of("%d/%d".formatted(generation.getEligible(), generation.getMembers())),
                    Cell.of(generation.getReason()),
                    Cell.of(wide ? StatusView.digest(generation.getExpectedDigest()) : seenBy(generation)));
        }
        page.table(table);
        if (wide) {
            response.getGenerationsList().forEach(generation -> showEvidence(generation, page));
        }
    }

    private static void showEvidence(Generation generation, Page page) {
        if (generation.getEvidenceCount() > 0) {
            page.gap().line(new Cell("evidence for %d:".formatted(generation.getNumber()), Cell.Tone.HEADING));
            generation.getEvidenceList().forEach(evidence -> page.line(sentence(evidence)));
        }
    }

    private static String seenBy(Generation generation) {
        return generation.getEvidenceList().stream().map(PoolHistory::seen).collect(Collectors.joining(", "));
    }

    private static String seen(GenerationEvidence named) {
        return "%s %s by %s"
                .formatted(
                        named.getMember(),
                        health(named.getEvidence()),
                        named.getEvidence().getObserver());
    }

    private static String sentence(GenerationEvidence named) {
        Evidence evidence = named.getEvidence();
        return "%s: %s had seen it %s for %s%s"
                .formatted(
                        named.getMember(),
                        evidence.getObserver(),
                        health(evidence),
                        Age.ofMillis(evidence.getSinceMillis()),
                        evidence.getDetail().isEmpty() ? "" : " (" + evidence.getDetail() + ")");
    }

    private static String health(Evidence evidence) {
        return EnumWord.lower(Health.getDescriptor(), evidence.getHealthValue());
    }
}
