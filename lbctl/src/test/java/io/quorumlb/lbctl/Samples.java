package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.Count;
import io.quorumlb.proto.v1.DiagnoseResponse;
import io.quorumlb.proto.v1.DropCause;
import io.quorumlb.proto.v1.DropCounters;
import io.quorumlb.proto.v1.EmptyPolicy;
import io.quorumlb.proto.v1.Finding;
import io.quorumlb.proto.v1.FindingSeverity;
import io.quorumlb.proto.v1.Gateway;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.GetPoolSlotsResponse;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.InstallState;
import io.quorumlb.proto.v1.ListHealthMonitorsResponse;
import io.quorumlb.proto.v1.ListListenersResponse;
import io.quorumlb.proto.v1.ListLoadBalancersResponse;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.ListNeighboursResponse;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.ListSegmentsResponse;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.ListenerCounters;
import io.quorumlb.proto.v1.LoadBalancer;
import io.quorumlb.proto.v1.LoadBalancerState;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MemberCounters;
import io.quorumlb.proto.v1.MemberObservation;
import io.quorumlb.proto.v1.MemberShare;
import io.quorumlb.proto.v1.MemberStatus;
import io.quorumlb.proto.v1.MonitorType;
import io.quorumlb.proto.v1.Neighbour;
import io.quorumlb.proto.v1.NeighbourSource;
import io.quorumlb.proto.v1.NeighbourState;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeReport;
import io.quorumlb.proto.v1.NodeStatus;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.PacketWay;
import io.quorumlb.proto.v1.PeerAge;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.PoolMonitor;
import io.quorumlb.proto.v1.PoolReport;
import io.quorumlb.proto.v1.PoolStatus;
import io.quorumlb.proto.v1.Protocol;
import io.quorumlb.proto.v1.RaftRole;
import io.quorumlb.proto.v1.Segment;
import io.quorumlb.proto.v1.SlotSource;
import io.quorumlb.proto.v1.Suspicion;
import io.quorumlb.proto.v1.SwitchFingerprint;
import io.quorumlb.proto.v1.SwitchReport;
import io.quorumlb.proto.v1.TracePacketResponse;
import io.quorumlb.proto.v1.UnexaminedNode;
import io.quorumlb.proto.v1.VipCounters;
import java.util.List;
import java.util.stream.IntStream;

/** Responses of a small cluster. */
final class Samples {
    static final List<String> ADDRESSES =
            List.of("10.20.0.2:8080", "10.30.0.2:8080", "10.20.0.3:8080", "10.30.0.3:8080");

    private Samples() {}

    /** Three nodes, one pool, everybody has proven it. */
    static GetClusterStatusResponse converged() {
        return GetClusterStatusResponse.newBuilder()
                .setClusterId("demo")
                .setAnsweredBy("n1")
                .setConverged(true)
                .setVerdict("CONVERGED 3/3")
                .setRevision(12)
                .addNodes(node("n1", 0, RaftRole.RAFT_ROLE_LEADER))
                .addNodes(node("n2", 312, RaftRole.RAFT_ROLE_FOLLOWER))
                .addNodes(node("n3", 95, RaftRole.RAFT_ROLE_FOLLOWER))
                .addPools(poolStatus(5))
                .build();
    }

    /** One node behind with a wrong table and trouble, one lost after its last word, one never heard. */
    static GetClusterStatusResponse troubled() {
        var behind = node("n2", 230, RaftRole.RAFT_ROLE_SEARCHING);
        behind.getReportBuilder()
                .setLeader("")
                .setAnnounced(false)
                .setNotAnnouncedReason("generation 6 is not proven")
                .setDatapath(SwitchReport.newBuilder()
                        .setConnected(true)
                        .setForeignFlows(1)
                        .setRepairedFlows(2))
                .addProblems("the table built here is not the committed one")
                .addProblems("1 foreign flow in table 9");
        behind.getReportBuilder()
                .getPoolsBuilder(0)
                .setGeneration(6)
                .setState(InstallState.INSTALL_STATE_MISMATCH)
                .setInstalledDigest("2f0ca39d5f33efa6" + "0".repeat(48))
                .setBuiltDigest("00ff".repeat(16))
                .setDetail("never installed");
        var lost = node("n3", 4_200, RaftRole.RAFT_ROLE_FOLLOWER).setReachable(false);
        lost.getReportBuilder().setDatapath(SwitchReport.newBuilder().setDetail("br0.mgmt: connection refused"));
        return GetClusterStatusResponse.newBuilder()
                .setClusterId("demo")
                .setAnsweredBy("n1")
                .setVerdict("NOT CONVERGED 1/4: n2 MISMATCH, n3 and n4 unreachable")
                .setRevision(13)
                .addNodes(node("n1", 0, RaftRole.RAFT_ROLE_LEADER)
                        .setReport(node("n1", 0, RaftRole.RAFT_ROLE_LEADER)
                                .getReportBuilder()
                                .setCertificateEndSeconds(1_893_553_445)
                                .setPools(0, report(6))
                                .addPeers(PeerAge.newBuilder().setNode("n4"))))
                .addNodes(behind)
                .addNodes(lost)
                .addNodes(NodeStatus.newBuilder().setNode("n4"))
                .addPools(poolStatus(6).setEmptySince(5))
                .build();
    }

    /** The same cluster as {@link #troubled}, with a majority of its nodes out of sight. */
    static GetClusterStatusResponse minority() {
        var status = troubled().toBuilder();
        status.getNodesBuilder(1).setReachable(false);
        return status.build();
    }

    private static NodeStatus.Builder node(String name, int ageMillis, RaftRole role) {
        return NodeStatus.newBuilder()
                .setNode(name)
                .setReachable(true)
                .setHeard(true)
                .setAgeMillis(ageMillis)
                .setReport(NodeReport.newBuilder()
                        .setRole(role)
                        .setTerm(3)
                        .setLeader("n1")
                        .setAppliedIndex(42)
                        .setDatapath(SwitchReport.newBuilder()
                                .setConnected(true)
                                .setReadBackAgeMillis(1_400)
                                .setFingerprint(SwitchFingerprint.newBuilder()
                                        .setTable("d8199fcb744c8acf".repeat(4))
                                        .setDatapath("c5032a81a587fc18".repeat(4))))
                        .setAnnounced(true)
                        .addPeers(PeerAge.newBuilder()
                                .setNode(name.equals("n1") ? "n2" : "n1")
                                .setHeard(true)
                                .setAgeMillis(310))
                        .addPools(report(5)));
    }

    private static PoolReport.Builder report(long generation) {
        return PoolReport.newBuilder()
                .setPoolId(1)
                .setGeneration(generation)
                .setExpectedDigest(table().digest().hex())
                .setBuiltDigest(table().digest().hex())
                .setInstalledDigest(table().digest().hex())
                .setState(InstallState.INSTALL_STATE_CONVERGED);
    }

    private static PoolStatus.Builder poolStatus(long generation) {
        return PoolStatus.newBuilder()
                .setId(1)
                .setName("web")
                .setGeneration(generation)
                .setAlgorithm(HashAlgorithm.HASH_ALGORITHM_V1)
                .setSlots(1024)
                .setExpectedDigest(table().digest().hex())
                .setReason("be1 is up");
    }

    /** The table of the four members under version 1. */
    static SlotTable table() {
        return SlotTable.build(
                HashAlgoVersion.V1,
                1,
                1024,
                IntStream.range(0, ADDRESSES.size())
                        .mapToObj(i -> TableMember.full(i + 1, MemberKey.parse(ADDRESSES.get(i)), 1))
                        .toList());
    }

    /** The slots of {@link #table}. */
    static GetPoolSlotsResponse slots() {
        SlotTable table = table();
        var response = GetPoolSlotsResponse.newBuilder()
                .setPoolId(1)
                .setGeneration(5)
                .setAlgorithm(HashAlgorithm.HASH_ALGORITHM_V1)
                .setExpectedDigest(table.digest().hex())
                .setReason("be1 is up");
        for (int slot = 0; slot < table.slots(); slot++) {
            response.addOwners(table.owner(slot));
        }
        table.slotsByMember()
                .forEach((id, count) -> response.addMembers(MemberShare.newBuilder()
                        .setId(id)
                        .setName("be" + id)
                        .setAddress(ADDRESSES.get(id - 1))
                        .setWeight(1)
                        .setEffectiveWeight(1)
                        .setSlots(count)));
        return response.build();
    }

    /** A small table with a member that is out, one that was deleted and slots of nobody. */
    static GetPoolSlotsResponse oddSlots() {
        var response = GetPoolSlotsResponse.newBuilder()
                .setPoolId(2)
                .setGeneration(9)
                .setAlgorithmValue(7)
                .setExpectedDigest("ab".repeat(32))
                .setReason("be2 drained")
                .addMembers(MemberShare.newBuilder()
                        .setId(11)
                        .setName("be1")
                        .setAddress("10.20.0.2:8080")
                        .setWeight(2)
                        .setEffectiveWeight(2)
                        .setSlots(60))
                .addMembers(MemberShare.newBuilder()
                        .setId(12)
                        .setName("be2")
                        .setAddress("10.20.0.3:8080")
                        .setWeight(1))
                .addMembers(MemberShare.newBuilder()
                        .setId(13)
                        .setAddress("10.20.0.4:8080")
                        .setWeight(1)
                        .setEffectiveWeight(1)
                        .setSlots(30));
        IntStream.range(0, 100).forEach(slot -> response.addOwners(slot < 60 ? 11 : slot < 90 ? 13 : 0));
        return response.build();
    }

    static ListMembersResponse members() {
        return ListMembersResponse.newBuilder()
                .setRevision(13)
                .addMembers(MemberStatus.newBuilder()
                        .setMember(member("be1", "10.20.0.2:8080").setAdmin(AdminState.ADMIN_STATE_ENABLED))
                        .setEffectiveWeight(1)
                        .setSlots(1024)
                        .addObservations(observation("n1", Health.HEALTH_UP, 301, "200 OK"))
                        .addObservations(observation("n2", Health.HEALTH_DOWN, 130_000, "timed out after 500 ms"))
                        .addObservations(observation("n3", Health.HEALTH_UP, 100, "503 in 1 ms").toBuilder()
                                .setSuspicion(Suspicion.SUSPICION_SUSPECT)))
                .addMembers(MemberStatus.newBuilder()
                        .setMember(member("be2", "10.20.0.3:8080").setAdmin(AdminState.ADMIN_STATE_DRAINED))
                        .addObservations(observation("n1", Health.HEALTH_UNSPECIFIED, 0, "not enough probes yet")))
                .build();
    }

    static ListLoadBalancersResponse loadBalancers() {
        return ListLoadBalancersResponse.newBuilder()
                .setRevision(13)
                .addLoadBalancers(LoadBalancer.newBuilder()
                        .setId(1)
                        .setName("shop")
                        .setVip("10.99.0.10")
                        .setVip6("fd00:99::10")
                        .setState(LoadBalancerState.LOAD_BALANCER_STATE_ENABLED)
                        .setDescription("all that sells")
                        .putLabels("site", "a")
                        .putLabels("tier", "web")
                        .setRevision(7))
                .addLoadBalancers(LoadBalancer.newBuilder()
                        .setId(12)
                        .setName("old")
                        .setVip("10.99.0.11")
                        .setState(LoadBalancerState.LOAD_BALANCER_STATE_DISABLED)
                        .setRevision(12))
                .build();
    }

    private static Member.Builder member(String name, String address) {
        return Member.newBuilder()
                .setId(1)
                .setPool("web")
                .setName(name)
                .setAddress(address)
                .setSegment("p2")
                .setWeight(1);
    }

    private static MemberObservation observation(String observer, Health health, int ageMillis, String detail) {
        return MemberObservation.newBuilder()
                .setObserver(observer)
                .setHealth(health)
                .setAgeMillis(ageMillis)
                .setDetail(detail)
                .build();
    }

    static ListPoolsResponse pools() {
        return ListPoolsResponse.newBuilder()
                .setRevision(13)
                .addPools(Pool.newBuilder()
                        .setId(1)
                        .setName("web")
                        .setAlgorithm(HashAlgorithm.HASH_ALGORITHM_V1)
                        .setSlots(1024)
                        .setMonitor(HealthMonitor.newBuilder()
                                .setType(MonitorType.MONITOR_TYPE_HTTP)
                                .setPath("/health")
                                .setIntervalMillis(1000)
                                .setTimeoutMillis(500)
                                .setFastIntervalMillis(200)
                                .setRise(2)
                                .setFall(3)))
                .addPools(Pool.newBuilder()
                        .setId(20)
                        .setName("database")
                        .setAlgorithm(HashAlgorithm.HASH_ALGORITHM_V1)
                        .setSlots(256)
                        .setMonitor(HealthMonitor.newBuilder()
                                .setType(MonitorType.MONITOR_TYPE_TCP)
                                .setIntervalMillis(60_000)
                                .setTimeoutMillis(5_000)
                                .setFastIntervalMillis(1_500)
                                .setPort(9000)
                                .setRise(1)
                                .setFall(10)))
                .addPools(Pool.newBuilder()
                        .setId(21)
                        .setName("dns")
                        .setAlgorithm(HashAlgorithm.HASH_ALGORITHM_V2)
                        .setSlots(256)
                        .setMonitor(HealthMonitor.newBuilder()
                                .setType(MonitorType.MONITOR_TYPE_UDP)
                                .setPayload(ByteString.copyFromUtf8("ping"))
                                .setExpect(ByteString.copyFrom(new byte[] {0, 1}))
                                .setIntervalMillis(1000)
                                .setTimeoutMillis(500)
                                .setFastIntervalMillis(200)
                                .setRise(2)
                                .setFall(3)))
                .build();
    }

    static ListHealthMonitorsResponse monitors() {
        var monitors = ListHealthMonitorsResponse.newBuilder().setRevision(13);
        pools().getPoolsList()
                .forEach(pool -> monitors.addMonitors(PoolMonitor.newBuilder()
                        .setPool(pool.getName())
                        .setPoolId(pool.getId())
                        .setMonitor(pool.getMonitor())
                        .setRevision(pool.getId() + 5)));
        monitors.getMonitorsBuilder(0).putLabels("site", "a");
        return monitors.build();
    }

    static ListSegmentsResponse segments() {
        return ListSegmentsResponse.newBuilder()
                .setRevision(13)
                .addSegments(Segment.newBuilder()
                        .setId(1)
                        .setName("p2")
                        .setPrefix("10.20.0.0/24")
                        .addGateways(Gateway.newBuilder().setNode("n1").setAddress("10.20.0.251"))
                        .addGateways(Gateway.newBuilder().setNode("n2").setAddress("10.20.0.252")))
                .addSegments(Segment.newBuilder()
                        .setId(2)
                        .setName("p3")
                        .setPrefix("10.30.0.0/24")
                        .setPrefix6("fd00:30::/64"))
                .build();
    }

    static ListListenersResponse listeners() {
        return ListListenersResponse.newBuilder()
                .setRevision(13)
                .addListeners(Listener.newBuilder()
                        .setId(1)
                        .setName("web-http")
                        .setVip("10.99.0.10")
                        .setProtocol(Protocol.PROTOCOL_TCP)
                        .setPort(80)
                        .setPool("web"))
                .addListeners(Listener.newBuilder()
                        .setId(2)
                        .setName("web-dns")
                        .setVip("fd00:99::10")
                        .setProtocol(Protocol.PROTOCOL_UDP)
                        .setPort(53)
                        .setMemberPort(5353)
                        .setPool("web6")
                        .setWhenEmpty(EmptyPolicy.EMPTY_POLICY_FAIL_OPEN))
                .addListeners(Listener.newBuilder()
                        .setId(3)
                        .setName("high")
                        .setVip("fd00:99::10")
                        .setProtocol(Protocol.PROTOCOL_TCP)
                        .setPort(8000)
                        .setPortLast(8100)
                        .setPool("web6")
                        .setWhenEmpty(EmptyPolicy.EMPTY_POLICY_FALLBACK_POOL)
                        .setFallbackPool("sorry"))
                .addListeners(Listener.newBuilder()
                        .setId(4)
                        .setName("all")
                        .setVip("10.99.0.11")
                        .setProtocol(Protocol.PROTOCOL_ANY)
                        .setPool("web")
                        .setWhenEmpty(EmptyPolicy.EMPTY_POLICY_WITHDRAW))
                .build();
    }

    private static Count count(long packets, double perSecond) {
        return Count.newBuilder()
                .setPackets(packets)
                .setBytes(packets * 74)
                .setPacketsPerSecond(perSecond)
                .setBytesPerSecond(perSecond * 74)
                .build();
    }

    private static NodeCounters.Builder counters(String node, int factor) {
        return NodeCounters.newBuilder()
                .setNode(node)
                .setAnswered(true)
                .setAgeMillis(900)
                .addListeners(ListenerCounters.newBuilder()
                        .setListenerId(1)
                        .setListener("web-http")
                        .setVip("10.99.0.10")
                        .setProtocol(Protocol.PROTOCOL_TCP)
                        .setPorts("80")
                        .setReceived(count(factor * 600L, factor * 12.25))
                        .setReturned(count(factor * 500L, factor * 10)))
                .addVips(VipCounters.newBuilder()
                        .setVip("10.99.0.10")
                        .setReceived(count(factor * 600L, factor * 12.25))
                        .setReturned(count(factor * 500L, factor * 10)))
                .addMembers(MemberCounters.newBuilder()
                        .setListenerId(1)
                        .setListener("web-http")
                        .setPool("web")
                        .setMemberId(1)
                        .setMember("be1")
                        .setAddress("10.20.0.2:8080")
                        .setForwarded(count(factor * 600L, factor * 12.25))
                        .setReturned(count(factor * 500L, factor * 10)))
                .setEchoed(count(factor, 0));
    }

    private static DropCounters dropped(DropCause cause, int table, long packets) {
        return DropCounters.newBuilder()
                .setCause(cause)
                .setTable(table)
                .setDropped(count(packets, 0))
                .build();
    }

    /** Two nodes that counted, one of which dropped something, and one that did not answer. */
    static GetCountersResponse counters() {
        DropCounters unknown = dropped(DropCause.DROP_CAUSE_UNKNOWN_PORT, 8, 7);
        DropCounters noMac = dropped(DropCause.DROP_CAUSE_NO_MAC, 21, 2).toBuilder()
                .setPool("web")
                .setMember("be1")
                .build();
        DropCounters never = dropped(DropCause.DROP_CAUSE_TTL, 20, 0);
        return GetCountersResponse.newBuilder()
                .setAnsweredBy("n1")
                .addNodes(counters("n1", 1).addDrops(unknown).addDrops(noMac).addDrops(never))
                .addNodes(counters("n2", 2).addDrops(never))
                .addNodes(NodeCounters.newBuilder().setNode("n3").setReason("no answer in time"))
                .setSum(counters("", 3).addDrops(unknown).addDrops(noMac).addDrops(never))
                .build();
    }

    private static PacketWay.Builder way(int member, SlotSource source) {
        return PacketWay.newBuilder()
                .setListenerId(1)
                .setPoolId(1)
                .setSlot(345)
                .setMemberId(member)
                .setPort(5)
                .setMac("02:00:00:00:14:02")
                .setSource(source);
    }

    private static NodeTrace.Builder trace(String node, int member, SlotSource source) {
        return NodeTrace.newBuilder()
                .setNode(node)
                .setGeneration(5)
                .setPredicted(way(1, SlotSource.SLOT_SOURCE_PREDICTED))
                .setFound(way(member, source))
                .setListener("web-http")
                .setPool("web")
                .setMember("be" + member)
                .setSegment("p2");
    }

    /** All nodes do the same. */
    static TracePacketResponse traced() {
        return TracePacketResponse.newBuilder()
                .setAnsweredBy("n1")
                .addTraces(trace("n1", 1, SlotSource.SLOT_SOURCE_TRACED))
                .addTraces(trace("n2", 1, SlotSource.SLOT_SOURCE_SENT))
                .build();
    }

    /** One node's switch would send it elsewhere, and one drops it. */
    static TracePacketResponse disagreeing() {
        return traced().toBuilder()
                .addTraces(trace("n3", 2, SlotSource.SLOT_SOURCE_TRACED))
                .addTraces(NodeTrace.newBuilder()
                        .setNode("n4")
                        .setFound(
                                PacketWay.newBuilder().setDrop("dropped by table 8: no listener of the VIP takes it")))
                .addDisagreements("n1 and n3: slot 345, member 1; slot 345, member 2")
                .addDisagreements("n1 and n4: slot 345, member 1; slot none, member none")
                .build();
    }

    /** One node cannot ask its switch, and one does not answer. */
    static TracePacketResponse halfTraced() {
        return TracePacketResponse.newBuilder()
                .setAnsweredBy("n1")
                .addTraces(trace("n1", 1, SlotSource.SLOT_SOURCE_TRACED))
                .addTraces(trace("n2", 1, SlotSource.SLOT_SOURCE_TRACED)
                        .clearFound()
                        .setTrouble("2 traces are under way, the most this node makes at once"))
                .addTraces(NodeTrace.newBuilder().setNode("n3").setTrouble("no answer in time"))
                .build();
    }

    static ListNeighboursResponse neighbours() {
        return ListNeighboursResponse.newBuilder()
                .setAnsweredBy("n1")
                .addNeighbours(Neighbour.newBuilder()
                        .setInterface("p2")
                        .setAddress("10.20.0.2")
                        .setMac("02:00:00:00:00:02")
                        .setSource(NeighbourSource.NEIGHBOUR_SOURCE_NETWORK)
                        .setState(NeighbourState.NEIGHBOUR_STATE_REACHABLE)
                        .setSinceMillis(3_725_000)
                        .setConfirmedMillis(400)
                        .addMembers("web/be1")
                        .addMembers("web2/be1"))
                .addNeighbours(Neighbour.newBuilder()
                        .setInterface("p2")
                        .setAddress("10.20.0.3")
                        .setMac("02:00:00:00:00:03")
                        .setSource(NeighbourSource.NEIGHBOUR_SOURCE_STATIC)
                        .setState(NeighbourState.NEIGHBOUR_STATE_DIFFERS)
                        .setOtherMac("02:00:00:00:00:33")
                        .setSinceMillis(60_000)
                        .setConfirmedMillis(900)
                        .addMembers("web/be3"))
                .addNeighbours(Neighbour.newBuilder()
                        .setInterface("uplink")
                        .setAddress("10.10.0.1")
                        .setState(NeighbourState.NEIGHBOUR_STATE_WAITING)
                        .setSinceMillis(2_000))
                .build();
    }

    private static Finding.Builder finding(String node, String code, FindingSeverity severity, String problem) {
        return Finding.newBuilder()
                .setNode(node)
                .setCode(code)
                .setSeverity(severity)
                .setProblem(problem)
                .setRemedy("Do what has to be done.");
    }

    static DiagnoseResponse ill() {
        return DiagnoseResponse.newBuilder()
                .setAnsweredBy("n1")
                .addFindings(finding(
                        "",
                        "mixed-switches",
                        FindingSeverity.FINDING_SEVERITY_WARNING,
                        "nodes have different versions of Open vSwitch: 3.1.0 on n1, 3.5.0 on n2"))
                .addFindings(finding(
                        "n2",
                        "offload-on",
                        FindingSeverity.FINDING_SEVERITY_ERROR,
                        "TX checksum offload of interface uplink is on"))
                .addFindings(finding(
                        "n2",
                        "clock-differs",
                        FindingSeverity.FINDING_SEVERITY_WARNING,
                        "the wall clock is 3.2 s ahead of that of n1"))
                .addFindings(finding(
                        "n1",
                        "foreign-flows",
                        FindingSeverity.FINDING_SEVERITY_WARNING,
                        "1 flows of others in the switch, first: table=11"))
                .addUnexamined(UnexaminedNode.newBuilder().setNode("n3").setReason("no answer in time"))
                .build();
    }

    static DiagnoseResponse healthy() {
        return DiagnoseResponse.newBuilder().setAnsweredBy("n1").build();
    }

    static DiagnoseResponse halfExamined() {
        return healthy().toBuilder()
                .addUnexamined(UnexaminedNode.newBuilder().setNode("n3").setReason("no answer in time"))
                .build();
    }
}
