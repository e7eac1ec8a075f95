package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.MissingProof;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.util.stream.Collectors;

/**
 * Who has proven a generation, and who has not and why.
 *
 * @param pool name of the pool
 */
record ProofView(String pool) implements View<WaitForGenerationResponse> {
    @Override
    public void show(WaitForGenerationResponse proof, Page page) {
        Cell verdict = proof.getProven() ? new Cell("PROVEN", Cell.Tone.GOOD) : new Cell("NOT PROVEN", Cell.Tone.BAD);
        page.line("%s: pool %s, generation %s"
                .formatted(
                        page.palette().paint(verdict),
                        pool,
                        proof.getGeneration() == 0 ? "not known" : Long.toString(proof.getGeneration())));
        Table table = new Table("NODE", "PROOF", "DETAIL");
        proof.getProvenByList()
                .forEach(node -> table.row(Cell.of(node), new Cell("proven", Cell.Tone.GOOD), Cell.of("")));
        proof.getMissingList()
                .forEach(missing -> table.row(
                        Cell.of(missing.getNode()),
                        missing.getReachable()
                                ? new Cell("missing", Cell.Tone.BAD)
                                : new Cell("unreachable", Cell.Tone.DOUBTFUL),
                        Cell.of(missing.getReason())));
        page.table(table);
    }

    /** Returns what the command ends with: too few nodes that can be heard prove nothing, either way. */
    static ExitCode exitCode(WaitForGenerationResponse proof) {
        if (proof.getProven()) {
            return ExitCode.YES;
        }
        long reachable = proof.getProvenByCount()
                + proof.getMissingList().stream()
                        .filter(MissingProof::getReachable)
                        .count();
        int nodes = proof.getProvenByCount() + proof.getMissingCount();
        return reachable * 2 > nodes ? ExitCode.NO : ExitCode.UNKNOWN;
    }

    /** Returns one line on an answer that is not yet the last. */
    static String progress(WaitForGenerationResponse proof, AwaitedProof awaited) {
        String missing = proof.getMissingList().stream()
                .map(node -> node.getReason().isEmpty()
                        ? node.getNode()
                        : "%s (%s)".formatted(node.getNode(), node.getReason()))
                .collect(Collectors.joining(", "));
        return "waiting for %s: proven by %d of %d%s"
                .formatted(
                        awaited.words(),
                        proof.getProvenByCount(),
                        proof.getProvenByCount() + proof.getMissingCount(),
                        missing.isEmpty() ? "" : "; missing " + missing);
    }
}
