package io.quorumlb.node.wire;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.plan.Hold;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.node.core.GatewayReport;
import io.quorumlb.node.core.InstallState;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.node.core.PoolReport;
import io.quorumlb.node.core.RepairCounts;
import io.quorumlb.node.core.SwitchReport;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.proto.v1.PeerAge;
import io.quorumlb.proto.v1.RaftRole;
import io.quorumlb.proto.v1.SegmentAddress;
import io.quorumlb.proto.v1.SwitchFingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Converts what a node says of itself; as {@link RecordCodec} in all else. */
public final class ReportCodec {
    private ReportCodec() {}

    /** Returns the report as a message. */
    public static io.quorumlb.proto.v1.NodeReport toWire(NodeReport report) {
        var message = io.quorumlb.proto.v1.NodeReport.newBuilder()
                .setTerm(report.leadership().term())
                .setAppliedIndex(report.appliedIndex())
                .setDatapath(toWire(report.datapath()))
                .setAnnounced(report.announced())
                .setNotAnnouncedReason(report.notAnnouncedReason())
                .setWantsOut(report.wantsOut())
                .setWantsIn(report.wantsIn())
                .addAllAnswering(report.gateways().answering().stream()
                        .map(NodeId::value)
                        .toList())
                .addAllAnswersFor(report.gateways().answersFor().stream()
                        .map(IpAddress::toString)
                        .toList())
                .setCertificateEndSeconds(
                        report.certificateEnd().map(Instant::getEpochSecond).orElse(0L))
                .addAllProblems(report.problems());
        report.gateways()
                .addresses()
                .forEach((segment, address) -> message.addSegmentAddresses(
                        SegmentAddress.newBuilder().setSegment(segment).setAddress(address.toString())));
        switch (report.leadership()) {
            case Leadership.Leading _ -> message.setRole(RaftRole.RAFT_ROLE_LEADER);
            case Leadership.Following(long _, NodeId leader) ->
                message.setRole(RaftRole.RAFT_ROLE_FOLLOWER).setLeader(leader.value());
            case Leadership.Searching _ -> message.setRole(RaftRole.RAFT_ROLE_SEARCHING);
        }
        report.pools().forEach(pool -> message.addPools(toWire(pool)));
        message.addAllPeers(toWire(report.peers()));
        return message.build();
    }

    /** Returns the report of a message. */
    public static NodeReport fromWire(io.quorumlb.proto.v1.NodeReport message) {
        WireField.require("report.datapath", message.hasDatapath());
        List<PoolReport> pools =
                message.getPoolsList().stream().map(ReportCodec::fromWire).toList();
        return new NodeReport(
                leadership(message),
                WireField.number("report.applied_index", message.getAppliedIndex()),
                fromWire(message.getDatapath()),
                WireField.distinct("report.pools.pool_id", pools, PoolReport::poolId),
                message.getAnnounced(),
                message.getNotAnnouncedReason(),
                message.getWantsOut(),
                message.getWantsIn(),
                peers("report.peers.node", message.getPeersList()),
                gateways(message),
                message.getCertificateEndSeconds() == 0
                        ? Optional.empty()
                        : Optional.of(instant(message.getCertificateEndSeconds())),
                message.getProblemsList());
    }

    private static Instant instant(long seconds) {
        long known = WireField.number("report.certificate_end_seconds", seconds);
        if (known > Instant.MAX.getEpochSecond()) {
            throw new IllegalArgumentException(
                    "report.certificate_end_seconds is %d, a time in seconds since 1970 expected".formatted(known));
        }
        return Instant.ofEpochSecond(known);
    }

    private static GatewayReport gateways(io.quorumlb.proto.v1.NodeReport message) {
        SortedMap<String, IpAddress> addresses = new TreeMap<>();
        for (SegmentAddress own : WireField.distinct(
                "report.segment_addresses.segment", message.getSegmentAddressesList(), SegmentAddress::getSegment)) {
            addresses.put(
                    own.getSegment(),
                    WireField.parse("report.segment_addresses.address", own.getAddress(), IpAddress::parse));
        }
        SortedSet<NodeId> answering = new TreeSet<>();
        message.getAnsweringList()
                .forEach(node -> answering.add(WireField.parse("report.answering", node, NodeId::new)));
        SortedSet<IpAddress> answersFor = new TreeSet<>();
        message.getAnswersForList()
                .forEach(address -> answersFor.add(WireField.parse("report.answers_for", address, IpAddress::parse)));
        return new GatewayReport(addresses, answering, answersFor);
    }

    private static Leadership leadership(io.quorumlb.proto.v1.NodeReport message) {
        long term = WireField.number("report.term", message.getTerm());
        return switch (message.getRole()) {
            case RAFT_ROLE_LEADER -> new Leadership.Leading(term);
            case RAFT_ROLE_FOLLOWER ->
                new Leadership.Following(term, WireField.parse("report.leader", message.getLeader(), NodeId::new));
            case RAFT_ROLE_SEARCHING -> new Leadership.Searching(term);
            case RAFT_ROLE_UNSPECIFIED, UNRECOGNIZED -> throw WireField.unknownEnum("report.role", message.getRole());
        };
    }

    static List<PeerAge> toWire(SortedMap<NodeId, Duration> peers) {
        List<PeerAge> messages = new ArrayList<>();
        peers.forEach((node, age) -> messages.add(PeerAge.newBuilder()
                .setNode(node.value())
                .setHeard(true)
                .setAgeMillis(WireField.millis(age))
                .build()));
        return messages;
    }

    static SortedMap<NodeId, Duration> peers(String field, List<PeerAge> messages) {
        SortedMap<NodeId, Duration> ages = new TreeMap<>();
        for (PeerAge message : WireField.distinct(field, messages, PeerAge::getNode)) {
            NodeId node = WireField.parse(field, message.getNode(), NodeId::new);
            if (message.getHeard()) {
                ages.put(node, WireField.duration(message.getAgeMillis()));
            }
        }
        return ages;
    }

    private static io.quorumlb.proto.v1.SwitchReport toWire(SwitchReport report) {
        var message = io.quorumlb.proto.v1.SwitchReport.newBuilder()
                .setConnected(report.connected())
                .setUntried(report.untried())
                .setDetail(report.detail())
                .setForeignFlows(report.foreignFlows())
                .setVersion(report.version())
                .setDatapathType(report.datapathType())
                .setRepairedFlows(report.repaired().total())
                .setRepairedDeleted(report.repaired().deleted())
                .setRepairedAdded(report.repaired().added())
                .setRepairedAltered(report.repaired().altered())
                .setContested(report.contested())
                .setRestarts(report.restarts())
                .setLastOutageMillis(report.lastOutage().toMillis())
                .setFlowModsSent(report.flowModsSent())
                .setFailClosedPackets(report.failClosedPackets())
                .setReadBackAgeMillis(WireField.millis(report.readBackAge()));
        report.fingerprint().ifPresent(known -> message.setFingerprint(toWire(known)));
        return message.build();
    }

    private static SwitchFingerprint toWire(Fingerprint known) {
        return SwitchFingerprint.newBuilder()
                .setTable(known.table().hex())
                .setDatapath(known.datapath().map(Digest::hex).orElse(""))
                .setTrouble(known.trouble())
                .build();
    }

    private static Fingerprint fromWire(SwitchFingerprint message) {
        return new Fingerprint(
                WireField.parse("report.datapath.fingerprint.table", message.getTable(), Digest::new),
                WireField.digest("report.datapath.fingerprint.datapath", message.getDatapath()),
                message.getTrouble());
    }

    private static SwitchReport fromWire(io.quorumlb.proto.v1.SwitchReport message) {
        var repaired = new RepairCounts(
                WireField.number("report.datapath.repaired_deleted", message.getRepairedDeleted()),
                WireField.number("report.datapath.repaired_added", message.getRepairedAdded()),
                WireField.number("report.datapath.repaired_altered", message.getRepairedAltered()));
        return new SwitchReport(
                message.getConnected(),
                message.getUntried(),
                message.getDetail(),
                message.getVersion(),
                message.getDatapathType(),
                WireField.number("report.datapath.foreign_flows", message.getForeignFlows(), 0, Integer.MAX_VALUE),
                repaired,
                message.getContested(),
                WireField.number("report.datapath.flow_mods_sent", message.getFlowModsSent()),
                WireField.number("report.datapath.fail_closed_packets", message.getFailClosedPackets()),
                WireField.number("report.datapath.restarts", message.getRestarts()),
                Duration.ofMillis(
                        WireField.number("report.datapath.last_outage_millis", message.getLastOutageMillis())),
                WireField.duration(message.getReadBackAgeMillis()),
                message.hasFingerprint() ? Optional.of(fromWire(message.getFingerprint())) : Optional.empty());
    }

    static io.quorumlb.proto.v1.PoolReport toWire(PoolReport report) {
        return io.quorumlb.proto.v1.PoolReport.newBuilder()
                .setPoolId(report.poolId())
                .setGeneration(report.generation())
                .setExpectedDigest(report.expected().map(Digest::hex).orElse(""))
                .setBuiltDigest(report.built().map(Digest::hex).orElse(""))
                .setInstalledDigest(report.installed().map(Digest::hex).orElse(""))
                .setState(toWire(report.state()))
                .setDetail(report.detail())
                .addAllHolds(report.holds().stream().map(ReportCodec::toWire).toList())
                .setFailOpenDigest(report.failOpen().map(Digest::hex).orElse(""))
                .build();
    }

    /** Returns the hold as a message. */
    public static io.quorumlb.proto.v1.Hold toWire(Hold hold) {
        return io.quorumlb.proto.v1.Hold.newBuilder()
                .setCode(hold.code())
                .setDetail(hold.detail())
                .build();
    }

    static PoolReport fromWire(io.quorumlb.proto.v1.PoolReport message) {
        return new PoolReport(
                WireField.number("report.pools.pool_id", message.getPoolId(), 1, SlotTable.POOL_ID_MAX),
                WireField.number("report.pools.generation", message.getGeneration()),
                WireField.digest("report.pools.expected_digest", message.getExpectedDigest()),
                WireField.digest("report.pools.built_digest", message.getBuiltDigest()),
                WireField.digest("report.pools.installed_digest", message.getInstalledDigest()),
                fromWire(message.getState()),
                message.getDetail(),
                message.getHoldsList().stream()
                        .map(hold -> new Hold(hold.getCode(), hold.getDetail()))
                        .toList(),
                WireField.digest("report.pools.fail_open_digest", message.getFailOpenDigest()));
    }

    private static io.quorumlb.proto.v1.InstallState toWire(InstallState state) {
        return switch (state) {
            case CONVERGED -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_CONVERGED;
            case INSTALLING -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_INSTALLING;
            case WAITING_NEIGHBOUR -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_WAITING_NEIGHBOUR;
            case MISMATCH -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_MISMATCH;
            case NO_SWITCH -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_NO_SWITCH;
            case LAGGING -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_LAGGING;
            case NOT_SERVING -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_NOT_SERVING;
            case DIVERGED -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_DIVERGED;
            case FROZEN -> io.quorumlb.proto.v1.InstallState.INSTALL_STATE_FROZEN;
        };
    }

    private static InstallState fromWire(io.quorumlb.proto.v1.InstallState state) {
        return switch (state) {
            case INSTALL_STATE_CONVERGED -> InstallState.CONVERGED;
            case INSTALL_STATE_INSTALLING -> InstallState.INSTALLING;
            case INSTALL_STATE_WAITING_NEIGHBOUR -> InstallState.WAITING_NEIGHBOUR;
            case INSTALL_STATE_MISMATCH -> InstallState.MISMATCH;
            case INSTALL_STATE_NO_SWITCH -> InstallState.NO_SWITCH;
            case INSTALL_STATE_LAGGING -> InstallState.LAGGING;
            case INSTALL_STATE_NOT_SERVING -> InstallState.NOT_SERVING;
            case INSTALL_STATE_DIVERGED -> InstallState.DIVERGED;
            case INSTALL_STATE_FROZEN -> InstallState.FROZEN;
            case INSTALL_STATE_UNSPECIFIED, UNRECOGNIZED -> throw WireField.unknownEnum("report.pools.state", state);
        };
    }
}
