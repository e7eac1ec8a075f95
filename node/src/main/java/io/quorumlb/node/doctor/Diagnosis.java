package io.quorumlb.node.doctor;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.Digest;
import io.quorumlb.node.core.ClusterView;
import io.quorumlb.node.core.ClusterView.NodeView;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.node.core.SwitchReport;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.proto.v1.DiagnoseResponse;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.Finding;
import io.quorumlb.proto.v1.FindingSeverity;
import io.quorumlb.proto.v1.UnexaminedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Puts together what nodes found around themselves, and what shows only beside each other. Reads no clock. */
public final class Diagnosis {
    static final Duration CLOCKS_APART_MAX = Duration.ofSeconds(1);
    /** Nodes publish every half second. */
    static final Duration HEARD = Duration.ofSeconds(5);

    private final NodeId self;
    private final ClusterView view;
    private final List<Answer> answers;
    private final List<Finding> found = new ArrayList<>();

    private Diagnosis(NodeId self, ClusterView view, List<Answer> answers) {
        this.self = self;
        this.view = view;
        this.answers = answers;
    }

    /**
     * What a node answered, and between which times.
     *
     * @param node who was asked
     * @param examination what it answered
     * @param askedMillis the asking node's wall clock before, in milliseconds since 1970
     * @param answeredMillis and after
     */
    public record Answer(NodeId node, Examination examination, long askedMillis, long answeredMillis) {}

    /**
     * Returns the whole cluster's findings.
     *
     * @param self the node that asked
     * @param view what it has heard
     * @param answers of every node of the cluster
     */
    public static DiagnoseResponse of(NodeId self, ClusterView view, List<Answer> answers) {
        var diagnosis = new Diagnosis(self, view, answers);
        answers.forEach(answer -> answer.examination().getFindingsList().forEach(diagnosis::take));
        diagnosis.clocks();
        diagnosis.deafLeaders();
        diagnosis.versions();
        var response = DiagnoseResponse.newBuilder().setAnsweredBy(self.value());
        diagnosis.sorted().forEach(response::addFindings);
        answers.stream()
                .filter(answer -> !answer.examination().getAnswered())
                .forEach(answer -> response.addUnexamined(UnexaminedNode.newBuilder()
                        .setNode(answer.node().value())
                        .setReason(answer.examination().getReason())));
        return response.build();
    }

    /** A leader tells of others what they may tell of themselves. */
    private void take(Finding finding) {
        boolean told = found.stream()
                .anyMatch(other -> other.getNode().equals(finding.getNode())
                        && other.getCode().equals(finding.getCode())
                        && (other.getProblem().equals(finding.getProblem())
                                || other.getCode().equals(FindingCode.BLIND_NODE.code())
                                || other.getCode().equals(FindingCode.DEAF_LEADER.code())));
        if (!told) {
            found.add(finding);
        }
    }

    private void add(String node, FindingCode code, String problem) {
        take(FindingCodec.toWire(new Judgement(node, code, problem)));
    }

    private List<Answer> examined() {
        return answers.stream()
                .filter(answer -> answer.examination().getAnswered())
                .toList();
    }

    private void clocks() {
        for (Answer answer : examined()) {
            long wall = answer.examination().getWallMillis();
            long ahead = wall - answer.answeredMillis();
            long behind = answer.askedMillis() - wall;
            if (ahead > CLOCKS_APART_MAX.toMillis() || behind > CLOCKS_APART_MAX.toMillis()) {
                add(
                        answer.node().value(),
                        FindingCode.CLOCK_DIFFERS,
                        String.format(
                                Locale.ROOT,
                                "the wall clock is %.1f s %s that of %s",
                                Math.max(ahead, behind) / 1000.0,
                                ahead > behind ? "ahead of" : "behind",
                                self));
            }
        }
    }

    /** Whoever cannot be asked may still be heard. */
    private void deafLeaders() {
        int voters = view.nodes().size();
        for (NodeView node : view.nodes()) {
            Optional<NodeReport> leader = node.record()
                    .filter(_ -> node.reachable())
                    .map(record -> record.report())
                    .filter(report -> report.leadership() instanceof Leadership.Leading);
            leader.ifPresent(report -> {
                long heard = 1
                        + report.peers().values().stream()
                                .filter(age -> age.compareTo(HEARD) <= 0)
                                .count();
                if (heard * 2 <= voters) {
                    add(
                            node.node().value(),
                            FindingCode.DEAF_LEADER,
                            "the leader hears %d of %d voters, a majority is %d"
                                    .formatted(heard, voters, voters / 2 + 1));
                }
            });
        }
    }

    private void versions() {
        SortedMap<String, SortedSet<NodeId>> programs = new TreeMap<>();
        examined().forEach(answer -> note(programs, answer.examination().getProgramVersion(), answer.node()));
        mixed(FindingCode.MIXED_VERSIONS, "nodes run different versions of the program", programs);
        SortedMap<String, SortedSet<NodeId>> switches = new TreeMap<>();
        SortedMap<String, SortedSet<NodeId>> tables = new TreeMap<>();
        SortedMap<String, SortedSet<NodeId>> datapaths = new TreeMap<>();
        for (NodeView node : view.nodes()) {
            Optional<SwitchReport> report = node.record()
                    .filter(_ -> node.reachable())
                    .map(record -> record.report().datapath());
            report.ifPresent(said -> note(switches, said.version(), node.node()));
            Optional<Fingerprint> fingerprint = report.flatMap(SwitchReport::fingerprint);
            fingerprint.ifPresent(hashes -> {
                note(tables, hashes.table().hex(), node.node());
                note(datapaths, hashes.datapath().map(Digest::hex).orElse(""), node.node());
            });
        }
        mixed(FindingCode.MIXED_SWITCHES, "nodes have different versions of Open vSwitch", switches);
        mixed(FindingCode.MIXED_SLOTS, "the flow tables of nodes hash differently", tables);
        mixed(FindingCode.MIXED_SLOTS, "the datapaths of nodes hash differently", datapaths);
    }

    /** What is not known of a node does not differ. */
    private static void note(SortedMap<String, SortedSet<NodeId>> who, String what, NodeId node) {
        if (!what.isEmpty()) {
            who.computeIfAbsent(what, _ -> new TreeSet<>()).add(node);
        }
    }

    private void mixed(FindingCode code, String what, SortedMap<String, SortedSet<NodeId>> who) {
        if (who.size() > 1) {
            String all = who.entrySet().stream()
                    .map(entry -> "%s on %s".formatted(shortened(entry.getKey()), names(entry.getValue())))
                    .collect(Collectors.joining(", "));
            add("", code, what + ": " + all);
        }
    }

    private static String names(SortedSet<NodeId> nodes) {
        return nodes.stream().map(NodeId::value).collect(Collectors.joining(" and "));
    }

    private static String shortened(String text) {
        int max = 16;
        return text.length() > max ? text.substring(0, max) : text;
    }

    private List<Finding> sorted() {
        SortedMap<String, Integer> worst = new TreeMap<>();
        found.forEach(finding -> worst.merge(finding.getNode(), rank(finding), Integer::min));
        // Stable: what was found first of a kind of severity stays first.
        return found.stream()
                .sorted(Comparator.<Finding>comparingInt(
                                finding -> finding.getNode().isEmpty() ? 0 : 1)
                        .thenComparingInt(finding -> worst.getOrDefault(finding.getNode(), 0))
                        .thenComparing(Finding::getNode)
                        .thenComparingInt(Diagnosis::rank))
                .toList();
    }

    private static int rank(Finding finding) {
        return finding.getSeverity() == FindingSeverity.FINDING_SEVERITY_ERROR ? 0 : 1;
    }
}
