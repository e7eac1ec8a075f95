package io.quorumlb.node.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.Digest;
import io.quorumlb.node.core.ClusterView;
import io.quorumlb.node.core.ClusterView.NodeView;
import io.quorumlb.node.core.GatewayReport;
import io.quorumlb.node.core.NodeRecord;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.node.core.RepairCounts;
import io.quorumlb.node.core.SwitchReport;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.proto.v1.DiagnoseResponse;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.Finding;
import io.quorumlb.proto.v1.UnexaminedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What shows beside each other only, and the order of all. */
class DiagnosisTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final Digest TABLE = new Digest("ab".repeat(32));
    private static final long NOW = 1_900_000_000_000L;

    private final SortedMap<NodeId, String> programs = all("1.0");
    private final SortedMap<NodeId, String> switches = all("3.1.0");
    private final SortedMap<NodeId, Digest> tables = new TreeMap<>();
    private final SortedMap<NodeId, Long> clocks = new TreeMap<>();
    private final SortedMap<NodeId, List<Judgement>> local = new TreeMap<>();
    private SortedMap<NodeId, Duration> leaderHears = heard(Duration.ZERO, Duration.ZERO);

    private static SortedMap<NodeId, String> all(String text) {
        SortedMap<NodeId, String> all = new TreeMap<>();
        List.of(N1, N2, N3).forEach(node -> all.put(node, text));
        return all;
    }

    private static SortedMap<NodeId, Duration> heard(Duration n2, Duration n3) {
        SortedMap<NodeId, Duration> ages = new TreeMap<>();
        ages.put(N2, n2);
        ages.put(N3, n3);
        return ages;
    }

    private NodeView view(NodeId node) {
        boolean leads = node.equals(N1);
        var datapath = new SwitchReport(
                true,
                false,
                "",
                switches.getOrDefault(node, ""),
                "netdev",
                0,
                RepairCounts.NONE,
                false,
                0,
                0,
                0,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(new Fingerprint(tables.getOrDefault(node, TABLE), TABLE)));
        var report = new NodeReport(
                leads ? new Leadership.Leading(7) : new Leadership.Following(7, N1),
                1,
                datapath,
                List.of(),
                true,
                "",
                "",
                false,
                leads ? leaderHears : new TreeMap<>(),
                new GatewayReport(new TreeMap<>(), new TreeSet<>(), new TreeSet<>()),
                Optional.empty(),
                List.of());
        return new NodeView(node, true, Duration.ZERO, Optional.of(new NodeRecord(node, 1, 1, Duration.ZERO, report)));
    }

    private DiagnoseResponse diagnosed() {
        List<Diagnosis.Answer> answers = new ArrayList<>();
        for (NodeId node : List.of(N1, N2, N3)) {
            var examination = Examination.newBuilder()
                    .setNode(node.value())
                    .setAnswered(true)
                    .setProgramVersion(programs.getOrDefault(node, ""))
                    .setWallMillis(clocks.getOrDefault(node, NOW));
            local.getOrDefault(node, List.of())
                    .forEach(judgement -> examination.addFindings(FindingCodec.toWire(judgement)));
            answers.add(new Diagnosis.Answer(node, examination.build(), NOW - 100, NOW + 100));
        }
        return Diagnosis.of(N1, view(), answers);
    }

    private ClusterView view() {
        return new ClusterView(true, "", List.of(view(N1), view(N2), view(N3)));
    }

    private List<String> found() {
        return diagnosed().getFindingsList().stream().map(DiagnosisTest::text).toList();
    }

    private static String text(Finding finding) {
        return "%s %s: %s".formatted(finding.getNode(), finding.getCode(), finding.getProblem());
    }

    @Test
    void equalNodesHaveNothing() {
        assertEquals(List.of(), found());
    }

    @Test
    void versionsThatDifferAreNamedWithWhoHasWhat() {
        programs.put(N2, "1.1");
        switches.put(N3, "3.5.0");
        tables.put(N3, new Digest("cd".repeat(32)));
        assertEquals(
                List.of(
                        " mixed-slots: the flow tables of nodes hash differently: abababababababab on n1 and n2,"
                                + " cdcdcdcdcdcdcdcd on n3",
                        " mixed-versions: nodes run different versions of the program: 1.0 on n1 and n3, 1.1 on n2",
                        " mixed-switches: nodes have different versions of Open vSwitch: 3.1.0 on n1 and n2, 3.5.0 on"
                                + " n3"),
                found());
    }

    @Test
    void whatIsNotKnownDoesNotDiffer() {
        programs.put(N2, "");
        switches.put(N3, "");
        assertEquals(List.of(), found());
    }

    @Test
    void aClockMayDifferByASecondBeyondTheRoundTrip() {
        clocks.put(N2, NOW + 1_100);
        clocks.put(N3, NOW - 1_100);
        assertEquals(List.of(), found());
        clocks.put(N2, NOW + 1_101);
        clocks.put(N3, NOW - 3_600_100);
        assertEquals(
                List.of(
                        "n2 clock-differs: the wall clock is 1.0 s ahead of that of n1",
                        "n3 clock-differs: the wall clock is 3600.0 s behind that of n1"),
                found());
    }

    @Test
    void aLeaderThatHearsNoMajorityIsDeafWhoeverSaysSo() {
        leaderHears = heard(Duration.ofSeconds(6), Duration.ofSeconds(5));
        assertEquals(List.of(), found());
        leaderHears = heard(Duration.ofSeconds(6), Duration.ofMillis(5001));
        String deaf = "n1 deaf-leader: the leader hears 1 of 3 voters, a majority is 2";
        assertEquals(List.of(deaf), found());
        local.put(N1, List.of(new Judgement("n1", FindingCode.DEAF_LEADER, "said by itself")));
        assertEquals(List.of("n1 deaf-leader: said by itself"), found());
    }

    @Test
    void aBlindNodeIsNamedOnceAlthoughTheLeaderSaysItToo() {
        local.put(N1, List.of(new Judgement("n3", FindingCode.BLIND_NODE, "n3 sees nobody")));
        local.put(N3, List.of(new Judgement("n3", FindingCode.BLIND_NODE, "I see nobody")));
        assertEquals(List.of("n3 blind-node: n3 sees nobody"), found());
    }

    @Test
    void theWorstComesFirstByNodeAndWithinIt() {
        programs.put(N3, "2");
        local.put(N1, List.of(new Judgement("n1", FindingCode.FOREIGN_FLOWS, "a")));
        local.put(
                N3,
                List.of(
                        new Judgement("n3", FindingCode.FOREIGN_FLOWS, "b"),
                        new Judgement("n3", FindingCode.OFFLOAD_ON, "c"),
                        new Judgement("n3", FindingCode.OFFLOAD_ON, "d")));
        assertEquals(
                List.of(" mixed-versions", "n3 offload-on", "n3 offload-on", "n3 foreign-flows", "n1 foreign-flows"),
                found().stream()
                        .map(text -> text.substring(0, text.indexOf(':')))
                        .toList());
    }

    @Test
    void whoDidNotAnswerIsNamedWithTheReason() {
        var answer = new Diagnosis.Answer(
                N2, Examination.newBuilder().setReason("no answer in time").build(), NOW, NOW);
        assertEquals(
                List.of(UnexaminedNode.newBuilder()
                        .setNode("n2")
                        .setReason("no answer in time")
                        .build()),
                Diagnosis.of(N1, view(), List.of(answer)).getUnexaminedList());
    }

    @Test
    void theRunbookHasEveryCodeWithItsRemedy() throws Exception {
        String runbook = Files.readString(Path.of("..", "docs", "runbook.md"));
        for (FindingCode code : FindingCode.values()) {
            String row = "| `%s` | %s |".formatted(code.code(), code.severity().name());
            String line = runbook.lines()
                    .filter(candidate -> candidate.startsWith(row))
                    .findFirst()
                    .orElse("no row " + row);
            assertTrue(line.endsWith("| " + code.remedy() + " |"), line);
        }
        long rows = runbook.lines()
                .filter(line -> line.matches("\\| `[a-z-]+` \\| (ERROR|WARNING) \\|.*"))
                .count();
        assertEquals(FindingCode.values().length, rows);
    }
}
