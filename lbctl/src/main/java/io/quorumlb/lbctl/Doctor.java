package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DiagnoseRequest;
import io.quorumlb.proto.v1.DiagnoseResponse;
import io.quorumlb.proto.v1.Finding;
import io.quorumlb.proto.v1.FindingSeverity;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows what is wrong with the nodes and their surroundings, and what to do about it. */
@Command(
        description = {
            "Show what is wrong with the nodes and their surroundings, and what to do about it.",
            "Every node examines itself: offloads, guard, forwarding, clock, disk, BIRD, switch; then they are"
                    + " compared.",
            "Exit status 0 and 'healthy' if nothing is found, 1 with findings, 2 if nothing is found but not all were"
                    + " asked."
        })
final class Doctor implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    Doctor(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = DiagnoseRequest.getDefaultInstance();
        return exitCode(session.show(stub -> stub.diagnose(request), Doctor::view))
                .status();
    }

    private static ExitCode exitCode(DiagnoseResponse response) {
        if (response.getFindingsCount() > 0) {
            return ExitCode.NO;
        }
        return response.getUnexaminedCount() > 0 ? ExitCode.UNKNOWN : ExitCode.YES;
    }

    private static void view(DiagnoseResponse response, Page page) {
        String group = "";
        boolean first = true;
        for (Finding finding : response.getFindingsList()) {
            if (first || !finding.getNode().equals(group)) {
                group = finding.getNode();
                page.line(new Cell(group.isEmpty() ? "cluster" : group, Cell.Tone.HEADING));
            }
            first = false;
            page.line("  " + page.palette().paint(severity(finding)) + " " + finding.getCode() + ": "
                    + finding.getProblem());
            page.line("    " + finding.getRemedy());
        }
        response.getUnexaminedList()
                .forEach(node -> page.line(new Cell(
                        "%s was not examined: %s".formatted(node.getNode(), node.getReason()), Cell.Tone.DOUBTFUL)));
        if (exitCode(response) == ExitCode.YES) {
            page.line(new Cell("healthy", Cell.Tone.GOOD));
        }
    }

    private static Cell severity(Finding finding) {
        return finding.getSeverity() == FindingSeverity.FINDING_SEVERITY_ERROR
                ? new Cell("ERROR", Cell.Tone.BAD)
                : new Cell("WARNING", Cell.Tone.DOUBTFUL);
    }
}
