package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.TextFormat;
import io.grpc.Status;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ApplyResponse;
import io.quorumlb.proto.v1.ExportResponse;
import io.quorumlb.proto.v1.Site;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplyCommandsTest {
    private static final ApplyResponse NOTHING =
            ApplyResponse.newBuilder().setRevision(7).build();

    private final FakeNode node = new FakeNode();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path directory;

    private String file = "";

    @BeforeEach
    void write() throws IOException {
        Path path = directory.resolve("site.yaml");
        Files.writeString(path, "pools:\n- name: web\n  slots: 1024\n");
        file = path.toString();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static ApplyResponse response() {
        try {
            return TextFormat.parse("""
                    revision: 7
                    changes { kind: OBJECT_KIND_SEGMENT name: "p2" verb: CHANGE_VERB_CREATE }
                    changes { kind: OBJECT_KIND_MEMBER name: "web/be1" verb: CHANGE_VERB_SET details: "weight 1 -> 2" }
                    pools { pool: "web" generation: 4 listeners: "www"
                      holds { code: "disruption-held" detail: "too many" }
                      unguarded { number: 5 reason: "be1 reweighted" moved: 200 collateral: 3 }
                      members { member: "be1" before: 512 after: 700 gained: 194 lost: 6 collateral: 0 }
                      members { member: "be2" before: 512 after: 324 gained: 6 lost: 194 collateral: 3 } }
                    """, ApplyResponse.class);
        } catch (TextFormat.ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    private ApplyRequest asked() {
        return (ApplyRequest) node.requests().getLast();
    }

    @Test
    void applyShowsWhatItHasDone() {
        node.answers("Apply", response().toBuilder().clearPools().build());
        Ran.at(node, "apply -f " + file + " --prune --expected-revision 6")
                .endsWith(ExitCode.YES)
                .writes("create segment p2\nset member web/be1: weight 1 -> 2\n2 changes, revision 7\n");
        assertEquals("web", asked().getSite().getPools(0).getName());
        assertTrue(asked().getPrune() && !asked().getDryRun());
        assertEquals(6, asked().getOptions().getExpectedRevision());
    }

    @Test
    void applyWithNothingToDoSaysSo() {
        node.answers("Apply", NOTHING);
        Ran.at(node, "apply -f " + file).endsWith(ExitCode.YES).writes("nothing to change, revision 7\n");
    }

    @Test
    void aDryRunShowsThePlan() {
        node.answers("Apply", response());
        Ran.at(node, "apply --dry-run -f " + file).endsWith(ExitCode.YES).writes("""
                        create segment p2
                        set member web/be1: weight 1 -> 2
                        2 changes would be made at revision 7

                        pool web, generation 4, behind www
                        held: disruption-held: too many
                        without guards: generation 5: be1 reweighted; 200 slots move, 3 of them needlessly
                        MEMBER  SLOTS  AFTER  SHARE  SHARE AFTER  GAINED  LOST  COLLATERAL
                        be1       512    700  50.0%        68.4%     194     6           0
                        be2       512    324  50.0%        31.6%       6   194           3
                        """);
        assertTrue(asked().getDryRun());
    }

    @Test
    void aPoolThatStaysAndOneThatGoesAreTold() {
        var plan = response().toBuilder().clearPools();
        plan.addPoolsBuilder()
                .setPool("db")
                .setGeneration(4)
                .addMembersBuilder()
                .setMember("be1")
                .setBefore(256)
                .setLost(256);
        plan.addPoolsBuilder()
                .setPool("web")
                .setGeneration(9)
                .addMembersBuilder()
                .setMember("be1")
                .setBefore(256)
                .setAfter(256);
        node.answers("Apply", plan.build());
        Ran ran = Ran.at(node, "diff --prune -f " + file).endsWith(ExitCode.NO);
        assertTrue(
                ran.out()
                        .endsWith(
                                "\npool db, generation 4\nit goes, and its table\n\npool web, generation 9\nits table stays\n"),
                ran.out());
    }

    @Test
    void diffEndsLikeDiff() {
        node.answers("Apply", response());
        Ran.at(node, "diff -f " + file).endsWith(ExitCode.NO);
        assertTrue(asked().getDryRun() && !asked().getPrune());
        try (FakeNode other = new FakeNode()) {
            other.answers("Apply", NOTHING);
            Ran.at(other, "diff --prune -f " + file).endsWith(ExitCode.YES).writes("nothing to change, revision 7\n");
        }
    }

    @Test
    void applyWaitsForEachPoolThatItHasChanged() {
        node.answers("Apply", response().toBuilder().clearPools().build());
        node.answers(
                "WaitForGeneration",
                WaitForGenerationResponse.newBuilder()
                        .setProven(true)
                        .setGeneration(5)
                        .addProvenBy("n1")
                        .build());
        Ran ran = Ran.at(node, "apply --wait installed -f " + file).endsWith(ExitCode.YES);
        assertTrue(ran.out().contains("2 changes, revision 7\nPROVEN: pool web, generation 5\n"), ran.out());
    }

    @Test
    void aRefusalIsToldAsItIs() {
        node.fails(
                "Apply", Status.INVALID_ARGUMENT.withDescription("members[web/be1]: weight 1001 is outside 0..1000"));
        Ran.at(node, "apply -f " + file).endsWith(ExitCode.NO).writes("").says("members[web/be1]: weight 1001");
    }

    @Test
    void exportWritesWhatApplyReads() throws IOException {
        Site site = SiteReader.read("f", Files.readString(Path.of(file)));
        node.answers("Export", ExportResponse.newBuilder().setSite(site).build());
        Ran yaml = Ran.at(node, "export").endsWith(ExitCode.YES);
        assertEquals("pools:\n- name: web\n  slots: 1024\n", yaml.out());
        Ran json = Ran.at(node, "export -o json").endsWith(ExitCode.YES);
        assertEquals(site, SiteReader.read("f", json.out()));
    }

    @Test
    void standardInputIsAFile() {
        node.answers("Apply", NOTHING);
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("members: [{name: be1}]".getBytes(StandardCharsets.UTF_8)));
        try {
            Ran.at(node, "apply -f -").endsWith(ExitCode.YES);
        } finally {
            System.setIn(before);
        }
        assertEquals("be1", asked().getSite().getMembers(0).getName());
    }

    @Test
    void whatCannotBeReadAsksNobody() throws IOException {
        Ran.at(node, "apply").endsWith(ExitCode.USAGE).says("--file");
        Ran.at(node, "apply -f " + directory.resolve("nil"))
                .endsWith(ExitCode.USAGE)
                .says("cannot be read");
        Ran.at(node, "apply -f " + directory).endsWith(ExitCode.USAGE).says("cannot be read");
        Path odd = directory.resolve("odd");
        Files.write(odd, new byte[] {(byte) 0xff});
        Ran.at(node, "diff -f " + odd).endsWith(ExitCode.USAGE).says("is not text in UTF-8");
        Files.writeString(odd, "pools:\n- nam: web\n");
        Ran.at(node, "diff -f " + odd)
                .endsWith(ExitCode.USAGE)
                .says("odd:2: pools[0]: field 'nam' is not known, did you mean 'name'?");
        Ran.at(node, "apply -f " + file + " --expected-revision -1")
                .endsWith(ExitCode.USAGE)
                .says("--expected-revision");
        assertEquals(List.of(), node.requests());
    }
}
