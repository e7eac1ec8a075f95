package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.NodeReport;
import io.quorumlb.proto.v1.NodeStatus;
import io.quorumlb.proto.v1.RaftRole;
import io.quorumlb.proto.v1.SwitchFingerprint;
import io.quorumlb.proto.v1.SwitchReport;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The nodes in the cluster's status, one a row. */
final class NodeRows {
    private static final List<String> HEADINGS =
            List.of("NODE", "ROLE", ">TERM", "LEADER", ">APPLIED", "OVS", "FINGERPRINT", "ROUTE", "PEERS", "SEEN");
    private static final long SECONDS_A_DAY = 86_400;
    private static final int FINGERPRINT_DIGITS = 8;

    private NodeRows() {}

    /** Returns the table. */
    static Table table(List<NodeStatus> nodes) {
        Table table = new Table(HEADINGS.toArray(String[]::new));
        nodes.forEach(node -> table.row(cells(node).toArray(Cell[]::new)));
        return table;
    }

    /** Returns the table with the day on which each node's certificate ends. */
    static Table withCertificates(List<NodeStatus> nodes) {
        Table table = new Table(
                Stream.concat(HEADINGS.stream(), Stream.of("CERTIFICATE UNTIL")).toArray(String[]::new));
        nodes.forEach(node -> table.row(Stream.concat(cells(node).stream(), Stream.of(certificate(node.getReport())))
                .toArray(Cell[]::new)));
        return table;
    }

    private static List<Cell> cells(NodeStatus node) {
        Cell name = Cell.of(node.getNode());
        if (!node.getHeard()) {
            List<Cell> nothing = Collections.nCopies(HEADINGS.size() - 2, Cell.of(""));
            return Stream.of(List.of(name), nothing, List.of(new Cell("never", Cell.Tone.BAD)))
                    .flatMap(List::stream)
                    .toList();
        }
        NodeReport report = node.getReport();
        return List.of(
                name,
                Cell.of(EnumWord.lower(RaftRole.getDescriptor(), report.getRoleValue())),
                Cell.of(report.getTerm()),
                Cell.of(report.getLeader()),
                Cell.of(report.getAppliedIndex()),
                ovs(report.getDatapath()),
                Cell.of(fingerprint(report.getDatapath().getFingerprint())),
                route(report),
                Cell.of(peers(report)),
                seen(node));
    }

    private static Cell certificate(NodeReport report) {
        long end = report.getCertificateEndSeconds();
        return Cell.of(end == 0 ? "" : LocalDate.ofEpochDay(end / SECONDS_A_DAY).toString());
    }

    private static Cell ovs(SwitchReport datapath) {
        if (!datapath.getConnected()) {
            String why = datapath.getDetail().isEmpty() ? "" : ": " + datapath.getDetail();
            return new Cell("disconnected" + why, Cell.Tone.BAD);
        }
        List<String> notes = new ArrayList<>();
        if (datapath.getForeignFlows() != 0) {
            notes.add(datapath.getForeignFlows() + " foreign");
        }
        if (datapath.getRepairedFlows() != 0) {
            notes.add(datapath.getRepairedFlows() + " repaired");
        }
        if (datapath.getContested()) {
            notes.add("contested");
        }
        if (datapath.getRestarts() != 0) {
            notes.add("restarts %d, last down %s"
                    .formatted(datapath.getRestarts(), Age.exact(datapath.getLastOutageMillis())));
        }
        if (datapath.getFailClosedPackets() != 0) {
            notes.add(datapath.getFailClosedPackets() + " packets fail-closed");
        }
        String program = datapath.getVersion().isEmpty()
                ? "connected"
                : "%s %s".formatted(datapath.getVersion(), datapath.getDatapathType());
        return notes.isEmpty()
                ? Cell.of(program)
                : new Cell("%s (%s)".formatted(program, String.join(", ", notes)), Cell.Tone.DOUBTFUL);
    }

    /** Returns the beginnings of what the flow table's hash and the datapath's give; nodes that agree have the same. */
    private static String fingerprint(SwitchFingerprint fingerprint) {
        return Stream.of(fingerprint.getTable(), fingerprint.getDatapath())
                .filter(hex -> !hex.isEmpty())
                .map(hex -> hex.substring(0, Math.min(FINGERPRINT_DIGITS, hex.length())))
                .collect(Collectors.joining("/"));
    }

    private static Cell route(NodeReport report) {
        if (report.getAnnounced()) {
            return Cell.of("announced");
        }
        String why = report.getNotAnnouncedReason().isEmpty() ? "" : ": " + report.getNotAnnouncedReason();
        return new Cell("withdrawn" + why, Cell.Tone.BAD);
    }

    private static String peers(NodeReport report) {
        return report.getPeersList().stream()
                .map(peer -> peer.getNode() + " " + (peer.getHeard() ? Age.ofMillis(peer.getAgeMillis()) : "never"))
                .collect(Collectors.joining(", "));
    }

    private static Cell seen(NodeStatus node) {
        String age = Age.ofMillis(node.getAgeMillis());
        return node.getReachable() ? Cell.of(age) : new Cell("unreachable " + age, Cell.Tone.BAD);
    }
}
