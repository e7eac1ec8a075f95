package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.util.JsonFormat;
import io.grpc.Status;
import io.quorumlb.proto.v1.CreateMemberResponse;
import io.quorumlb.proto.v1.DrainMemberResponse;
import io.quorumlb.proto.v1.MissingProof;
import io.quorumlb.proto.v1.SetMemberWeightResponse;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProofTest {
    private static final WaitForGenerationResponse PROVEN = WaitForGenerationResponse.newBuilder()
            .setProven(true)
            .setGeneration(6)
            .addProvenBy("n1")
            .addProvenBy("n2")
            .addMissing(missing("n3", false, "not heard for 4.2 s"))
            .build();
    private static final WaitForGenerationResponse NOT_YET = WaitForGenerationResponse.newBuilder()
            .setGeneration(6)
            .addProvenBy("n1")
            .addMissing(missing("n2", true, "INSTALLING"))
            .addMissing(missing("n3", false, "not heard for 4.2 s"))
            .build();

    private final FakeNode node = new FakeNode()
            .answers(
                    "DrainMember",
                    DrainMemberResponse.newBuilder().setRevision(18).build());

    @AfterEach
    void stop() {
        node.close();
    }

    private static MissingProof missing(String name, boolean reachable, String reason) {
        return MissingProof.newBuilder()
                .setNode(name)
                .setReachable(reachable)
                .setReason(reason)
                .build();
    }

    @Test
    void drainWaitsForTheRevisionOfItsWrite() {
        node.answers("WaitForGeneration", PROVEN);
        Ran.at(node, "member drain web/be1")
                .endsWith(ExitCode.YES)
                .says("lbctl: web/be1 drained, committed with revision 18\n")
                .writesGolden("proven.txt");
        var asked = (WaitForGenerationRequest) node.requests().getLast();
        assertEquals("web", asked.getPool());
        assertEquals(18, asked.getRevision());
        assertTrue(asked.getTimeoutMillis() > 0 && asked.getTimeoutMillis() <= 5000, asked::toString);
    }

    @Test
    void progressIsSaidWhenItChanges() {
        node.answers("WaitForGeneration", NOT_YET)
                .answers("WaitForGeneration", NOT_YET)
                .answers("WaitForGeneration", PROVEN);
        Ran ran = Ran.at(node, "member drain web/be1").endsWith(ExitCode.YES);
        assertEquals("""
                lbctl: web/be1 drained, committed with revision 18
                lbctl: waiting for revision 18 of pool web: proven by 1 of 3; missing n2 (INSTALLING), n3 (not heard for 4.2 s)
                """, ran.err());
    }

    @Test
    void notProvenInTimeIsNoAndNamesWhoIsMissing() {
        node.answers("WaitForGeneration", NOT_YET);
        Ran.at(node, "member drain web/be1 --timeout 1500ms")
                .endsWith(ExitCode.NO)
                .writesGolden("not-proven.txt");
    }

    @Test
    void tooFewReachableNodesProveNothing() {
        node.answers(
                "WaitForGeneration",
                NOT_YET.toBuilder().setMissing(0, missing("n2", false, "")).build());
        Ran.at(node, "member drain web/be1 --timeout 1500ms").endsWith(ExitCode.UNKNOWN);
    }

    @Test
    void lostProofLeavesTheWriteCommitted() {
        node.fails("WaitForGeneration", Status.UNAVAILABLE.withDescription("stopping"));
        Ran.at(node, "member drain web/be1")
                .endsWith(ExitCode.UNKNOWN)
                .says("committed with revision 18")
                .says("whether revision 18 of pool web is installed is not known")
                .says("stopping")
                .writes("");
    }

    @Test
    void programsSeeTheProof() throws Exception {
        node.answers(
                        "SetMemberWeight",
                        SetMemberWeightResponse.newBuilder().setRevision(18).build())
                .answers("WaitForGeneration", PROVEN);
        Ran.at(node, "-o json member weight web/be1 3")
                .endsWith(ExitCode.YES)
                .writes(JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(PROVEN) + System.lineSeparator());
    }

    @Test
    void createCanWaitToo() {
        node.answers(
                        "CreateMember",
                        CreateMemberResponse.newBuilder()
                                .setId(4)
                                .setRevision(19)
                                .build())
                .answers("WaitForGeneration", PROVEN);
        Ran.at(node, "member create be4 10.30.0.3:8080 --pool web --segment p3 --wait installed")
                .endsWith(ExitCode.YES)
                .says("member be4 created, committed with revision 19");
        assertEquals(19, ((WaitForGenerationRequest) node.requests().getLast()).getRevision());
    }

    @ParameterizedTest
    @CsvSource({
        "pool wait web, 0, 0, the present generation of pool web",
        "pool wait web --generation 6, 6, 0, generation 6 of pool web",
        "pool wait web --revision 18, 0, 18, revision 18 of pool web"
    })
    void poolsAreWaitedForByThemselves(String line, long generation, long revision, String words) {
        node.answers("WaitForGeneration", NOT_YET).answers("WaitForGeneration", PROVEN);
        Ran.at(node, line)
                .endsWith(ExitCode.YES)
                .says("lbctl: waiting for %s: proven by 1 of 3; missing n2 (INSTALLING)".formatted(words))
                .writesGolden("proven.txt");
        var asked = (WaitForGenerationRequest) node.requests().getFirst();
        assertEquals("web", asked.getPool());
        assertEquals(generation, asked.getGeneration());
        assertEquals(revision, asked.getRevision());
    }

    @Test
    void waitingForAPoolThatIsNotThereEndsAtOnce() {
        node.fails("WaitForGeneration", Status.NOT_FOUND.withDescription("there is no pool 'wbe'"));
        Ran.at(node, "pool wait wbe")
                .endsWith(ExitCode.NO)
                .says("there is no pool 'wbe'")
                .writes("");
    }
}
