package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.AuditOutcome;
import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.ListAuditRecordsRequest;
import io.quorumlb.proto.v1.ListAuditRecordsResponse;
import io.quorumlb.proto.v1.Role;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows who has written what, and whose calls were refused. */
@Command(
        description =
                "Show who has written what, and whose calls were refused, newest first. Status 1 if a node could not "
                        + "be asked what it has refused.")
final class Audit implements Callable<Integer> {
    private static final int LIMIT = 100;
    private static final String DONE = "OK";

    private final Session session;

    @Option(names = "--who", paramLabel = "NAME", description = "Only what this caller has done or tried.")
    private String who = "";

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = SpanConverter.class,
            description = "Only the last so much, for example 90s, 30m, 12h, 7d.")
    private Optional<Duration> since = Optional.empty();

    @Option(names = "--failed", description = "Only calls that were refused, and writes that failed.")
    private boolean failed;

    @Option(
            names = "--limit",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "At most so many, up to 1000. Default: 100.")
    private int limit = LIMIT;

    /** Creates the command for one session. */
    Audit(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListAuditRecordsRequest.newBuilder()
                .setPageSize(limit)
                .setCaller(who)
                .setSinceMillis(since.map(span -> Instant.now().minus(span).toEpochMilli())
                        .orElse(0L))
                .setOutcome(failed ? AuditOutcome.AUDIT_OUTCOME_FAILED : AuditOutcome.AUDIT_OUTCOME_UNSPECIFIED)
                .build();
        ListAuditRecordsResponse response = session.show(stub -> stub.listAuditRecords(request), Audit::show);
        return (response.getSilentCount() == 0 ? ExitCode.YES : ExitCode.NO).status();
    }

    private static void show(ListAuditRecordsResponse response, Page page) {
        Table table = new Table("TIME", "CALLER", "ROLE", "FROM", "NODE", "CALL", "OBJECT", "OUTCOME", ">TIMES");
        for (AuditRecord record : response.getRecordsList()) {
            boolean done = record.getStatus().equals(DONE);
            table.row(
                    Cell.of(Instant.ofEpochMilli(record.getTimeMillis())
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString()),
                    plain(record.getCaller()),
                    Cell.of(
                            record.getRole() == Role.ROLE_UNSPECIFIED
                                    ? ""
                                    : EnumWord.lower(Role.getDescriptor(), record.getRoleValue())),
                    plain(record.getAddress()),
                    plain(record.getNode()),
                    plain(record.getMethod()),
                    plain(record.getObject()),
                    done
                            ? Cell.of("revision " + record.getRevision())
                            : plain(record.getStatus()).toned(Cell.Tone.BAD),
                    Cell.of(record.getCount()));
        }
        page.table(table);
        response.getSilentList()
                .forEach(node -> page.line(new Cell(
                        "what node %s has refused is missing: %s"
                                .formatted(
                                        node.getNode(), plain(node.getReason()).text()),
                        Cell.Tone.DOUBTFUL)));
        if (!response.getNextPageToken().isEmpty()) {
            page.line("there are older ones: --limit, --since or --who show others");
        }
    }

    /** What somebody else wrote moves no cursor. */
    private static Cell plain(String text) {
        return Cell.of(text.replaceAll("\\p{C}", "?"));
    }
}
