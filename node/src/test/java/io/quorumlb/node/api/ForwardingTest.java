package io.quorumlb.node.api;

import static io.quorumlb.node.api.LoneNode.N2;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Server;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.gossip.HandLog;
import io.quorumlb.node.gossip.PeerEndpoint;
import io.quorumlb.node.gossip.PeerTally;
import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.Count;
import io.quorumlb.proto.v1.DeletePoolRequest;
import io.quorumlb.proto.v1.DiagnoseRequest;
import io.quorumlb.proto.v1.DiagnoseResponse;
import io.quorumlb.proto.v1.DropCause;
import io.quorumlb.proto.v1.DropCounters;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.ExplainMemberRequest;
import io.quorumlb.proto.v1.ExplainMemberResponse;
import io.quorumlb.proto.v1.Finding;
import io.quorumlb.proto.v1.FindingSeverity;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.ListAuditRecordsRequest;
import io.quorumlb.proto.v1.ListAuditRecordsResponse;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.ObserverView;
import io.quorumlb.proto.v1.PacketWay;
import io.quorumlb.proto.v1.SilentNode;
import io.quorumlb.proto.v1.TracePacketRequest;
import io.quorumlb.proto.v1.TracePacketResponse;
import io.quorumlb.proto.v1.TracedPacket;
import io.quorumlb.proto.v1.UnexaminedNode;
import io.quorumlb.proto.v1.WriteOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ForwardingTest {
    private static final DeletePoolRequest REQUEST =
            DeletePoolRequest.newBuilder().setName("web").build();
    private static final Command COMMAND = new Command.DeletePool("web");
    private static final ProposeOutcome DONE = new ProposeOutcome.Committed(new Outcome.Done(1, 0));
    private static final ProposeOutcome ASK_N2 = new ProposeOutcome.NotLeader(Optional.of(N2));
    private static final ProposeOutcome NOBODY = new ProposeOutcome.NotLeader(Optional.empty());

    private static final NodeCounters COUNTERS = NodeCounters.newBuilder()
            .addDrops(DropCounters.newBuilder()
                    .setCause(DropCause.DROP_CAUSE_TTL)
                    .setTable(20)
                    .setDropped(Count.newBuilder().setPackets(5)))
            .build();

    private static final NodeTrace TRACE = NodeTrace.newBuilder()
            .setFound(PacketWay.newBuilder().setListenerId(4))
            .build();

    private static final NodeProbes PROBES =
            NodeProbes.newBuilder().setStreak(3).build();
    private static final AuditRecord REFUSED = AuditRecord.newBuilder()
            .setTimeMillis(5)
            .setSequence(1)
            .setMethod("DeletePool")
            .setStatus("UNAUTHENTICATED")
            .build();

    private final HandLog leaderLog = new HandLog();
    private final Server leader = leader();
    private final LoneNode node = LoneNode.ofThree(new Leadership.Following(1, N2), peers());

    ForwardingTest() throws IOException {
        node.log.answer(_ -> ASK_N2);
    }

    @AfterEach
    void close() {
        node.close();
        leader.shutdownNow();
    }

    @Test
    void aWriteIsAnsweredByTheLeader() {
        leaderLog.answer(_ -> DONE);
        assertEquals(0, node.api().deletePool(REQUEST).getRevision());
        assertEquals(List.of(COMMAND), asked());
    }

    @Test
    void theLeaderOfTheStateIsAskedIfTheLogNamesNone() throws InterruptedException {
        leaderLog.answer(_ -> DONE);
        node.log.answer(_ -> NOBODY);
        assertEquals(0, node.api().deletePool(REQUEST).getRevision());
        assertEquals(List.of(COMMAND), asked());
    }

    @Test
    void whatTheLeaderRefusesIsRefused() {
        leaderLog.answer(_ -> new ProposeOutcome.Committed(
                new Outcome.Refused(Outcome.Cause.NOT_FOUND, "pool", "pool 'web' does not exist")));
        StatusRuntimeException refused = failed(Code.NOT_FOUND);
        assertEquals("pool 'web' does not exist", refused.getStatus().getDescription());
        assertEquals(1, leaderLog.proposed().size());
    }

    @Test
    void onlyWhatWasNotWrittenIsProposedAgain() {
        AtomicInteger asked = new AtomicInteger();
        leaderLog.answer(_ -> asked.incrementAndGet() < 5 ? NOBODY : DONE);
        assertEquals(0, node.api().deletePool(REQUEST).getRevision());
        assertEquals(5, leaderLog.proposed().size());
    }

    @Test
    void aWriteInDoubtIsAskedAgainAsTheSameWrite() {
        AtomicInteger asked = new AtomicInteger();
        leaderLog.answer(
                _ -> asked.incrementAndGet() < 3 ? new ProposeOutcome.Unknown("leader lost its quorum") : DONE);
        assertEquals(0, node.api().deletePool(REQUEST).getRevision());
        assertEquals(3, leaderLog.proposed().size());
        assertEquals(1, requests().size(), "one id for all attempts");
    }

    @Test
    void aWriteThatStaysInDoubtIsSaidToBeWithTheIdToRepeatItBy() {
        // The first attempt may have been written; that nobody leads afterwards does not undo it.
        AtomicInteger asked = new AtomicInteger();
        leaderLog.answer(
                _ -> asked.incrementAndGet() == 1 ? new ProposeOutcome.Unknown("leader lost its quorum") : NOBODY);
        DeletePoolRequest request = REQUEST.toBuilder()
                .setOptions(WriteOptions.newBuilder().setRequestId("deploy-7"))
                .build();
        StatusRuntimeException unknown = failed(Code.UNKNOWN, request);
        String message = String.valueOf(unknown.getStatus().getDescription());
        assertTrue(message.contains("may still be committed (leader lost its quorum)"), message);
        assertTrue(message.contains("repeat it with request id 'deploy-7'"), message);
        assertEquals(List.of(new RequestId("deploy-7")), List.copyOf(requests()));
    }

    @Test
    void anIdThatIsNoneIsRefusedBeforeAnybodyIsAsked() {
        DeletePoolRequest request = REQUEST.toBuilder()
                .setOptions(WriteOptions.newBuilder().setRequestId("deploy 7"))
                .build();
        StatusRuntimeException refused = failed(Code.INVALID_ARGUMENT, request);
        String message = String.valueOf(refused.getStatus().getDescription());
        assertTrue(message.contains("request id 'deploy 7' of 8 characters: 1..64 printable"), message);
        assertEquals(List.of(), leaderLog.proposed());
    }

    private List<Command> asked() {
        return leaderLog.proposed().stream()
                .map(command -> command instanceof Command.Requested(var _, Command asked) ? asked : command)
                .toList();
    }

    private SortedSet<RequestId> requests() {
        SortedSet<RequestId> requests = new TreeSet<>();
        leaderLog.proposed().forEach(command -> {
            if (command instanceof Command.Requested(Origin origin, var _)) {
                requests.add(origin.request());
            }
        });
        return requests;
    }

    @Test
    void aLeaderThatFreezesIsNotWaitedForOnceAnotherLeads() {
        CountDownLatch thaw = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        leaderLog.answer(_ -> {
            if (asked.incrementAndGet() > 1) {
                return DONE;
            }
            node.hear(new Leadership.Following(2, LoneNode.N3));
            return new ProposeOutcome.Unknown(await(thaw) ? "thawed" : "never thawed");
        });
        try {
            assertEquals(0, node.api().deletePool(REQUEST).getRevision());
            assertEquals(1, thaw.getCount(), "the first is still frozen");
            assertEquals(2, asked.get());
            assertEquals(1, requests().size(), "one id for all attempts");
        } finally {
            thaw.countDown();
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void withoutALeaderNothingIsWrittenAndTheCallerIsTold() {
        node.log.answer(_ -> NOBODY);
        leaderLog.answer(_ -> NOBODY);
        StatusRuntimeException none = failed(Code.UNAVAILABLE);
        String message = String.valueOf(none.getStatus().getDescription());
        assertTrue(message.contains("nothing was written"), message);
    }

    @Test
    void theOtherNodesAreAskedForTheirCountsAndTheSilentAreNamed() {
        GetCountersResponse response = counters();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!response.getNodes(1).getAnswered() && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            response = counters();
        }
        assertEquals("n1", response.getAnsweredBy());
        assertEquals(
                List.of("n1", "n2", "n3"),
                response.getNodesList().stream().map(NodeCounters::getNode).toList());
        assertTrue(response.getNodes(0).getAnswered());
        assertEquals(COUNTERS.getDropsList(), response.getNodes(1).getDropsList());
        assertEquals("there is no way to it", response.getNodes(2).getReason());
        assertEquals(COUNTERS.getDropsList(), response.getSum().getDropsList());
    }

    private GetCountersResponse counters() {
        return node.api().getCounters(GetCountersRequest.getDefaultInstance());
    }

    @Test
    void countsOfWhatDoesNotExistAreNotFound() {
        for (GetCountersRequest request : List.of(
                GetCountersRequest.newBuilder().setPool("nil").build(),
                GetCountersRequest.newBuilder().setListener("nil").build())) {
            StatusRuntimeException refused =
                    assertThrows(StatusRuntimeException.class, () -> node.api().getCounters(request));
            assertEquals(Code.NOT_FOUND, refused.getStatus().getCode(), refused::getMessage);
            String message = String.valueOf(refused.getStatus().getDescription());
            assertTrue(message.contains("'nil' does not exist: there is none"), message);
        }
    }

    @Test
    void theOtherNodesAreAskedWhatTheyWouldDoAndTheSilentAreNamed() {
        TracePacketResponse response = traced();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!response.getTraces(1).hasFound() && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            response = traced();
        }
        assertEquals(
                List.of("n1", "n2", "n3"),
                response.getTracesList().stream().map(NodeTrace::getNode).toList());
        assertEquals("the switch is not read yet", response.getTraces(0).getTrouble());
        assertEquals(TRACE.getFound(), response.getTraces(1).getFound());
        assertEquals("there is no way to it", response.getTraces(2).getTrouble());
    }

    @Test
    void theOtherNodesAreAskedWhatTheyRefusedAndTheSilentAreNamed() {
        ListAuditRecordsResponse response = refusals();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (response.getRecordsCount() == 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            response = refusals();
        }
        assertEquals(List.of(REFUSED.toBuilder().setNode("n2").build()), response.getRecordsList());
        assertEquals(
                List.of(SilentNode.newBuilder()
                        .setNode("n3")
                        .setReason("there is no way to it")
                        .build()),
                response.getSilentList());
    }

    private ListAuditRecordsResponse refusals() {
        return node.api().listAuditRecords(ListAuditRecordsRequest.getDefaultInstance());
    }

    @Test
    void everyNodeExaminesItselfAndWhoDoesNotAnswerIsNamed() {
        // Not connected yet at first.
        DiagnoseResponse response = diagnosed();
        long start = System.nanoTime();
        while (response.getFindingsCount() == 0 && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            response = diagnosed();
        }
        assertEquals("n1", response.getAnsweredBy());
        assertEquals(
                List.of("n2 offload-on", "n2 clock-differs"),
                response.getFindingsList().stream()
                        .map(finding -> finding.getNode() + " " + finding.getCode())
                        .toList());
        String clock = response.getFindings(1).getProblem();
        assertTrue(clock.matches("the wall clock is (59|60)\\.\\d s ahead of that of n1"), clock);
        assertEquals(
                List.of(UnexaminedNode.newBuilder()
                        .setNode("n3")
                        .setReason("there is no way to it")
                        .build()),
                response.getUnexaminedList());
    }

    private DiagnoseResponse diagnosed() {
        node.examination = node.examination.toBuilder()
                .setWallMillis(System.currentTimeMillis())
                .build();
        return node.api().diagnose(DiagnoseRequest.getDefaultInstance());
    }

    private TracePacketResponse traced() {
        return node.api()
                .tracePacket(TracePacketRequest.newBuilder()
                        .setPacket(TracedPacket.newBuilder()
                                .setProtocol(47)
                                .setSourceAddress("10.40.0.9")
                                .setDestinationAddress("10.99.0.10"))
                        .build());
    }

    /** A follower has the members from the log as any node does. */
    @Test
    void theOtherNodesAreAskedWhatTheyHaveFoundAndTheSilentAreNamed() throws InterruptedException {
        for (Command command : List.of(
                Commands.of(Site.SEGMENT), Commands.of(Site.POOL), Commands.of(Site.member("be1", "10.20.0.2:8080")))) {
            var _ = node.commit(command);
        }
        assertTrue(node.watch.await(state -> state.cluster().revision() >= 3, Duration.ofSeconds(20)));
        ExplainMemberResponse response = explained();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!response.getObservers(1).getProbes().getAnswered() && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            response = explained();
        }
        assertEquals(
                List.of("n1", "n2", "n3"),
                response.getObserversList().stream()
                        .map(ObserverView::getObserver)
                        .toList());
        assertEquals(
                PROBES.toBuilder().setNode("n2").setAnswered(true).build(),
                response.getObservers(1).getProbes());
        assertEquals(
                "there is no way to it", response.getObservers(2).getProbes().getReason());
        assertEquals(2, response.getMajority());
    }

    private ExplainMemberResponse explained() {
        return node.api()
                .explainMember(ExplainMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .build());
    }

    @Test
    void aTakenPortIsNamed() throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (ServerSocket taken = new ServerSocket(0, 1, loopback)) {
            IOException refused = assertThrows(
                    IOException.class,
                    () -> ApiServer.start(
                            new ApiServer.Addresses(loopback, taken.getLocalPort(), 0),
                            LoneNode.open(new ControlEndpoint(
                                    node.watch,
                                    node.log,
                                    node.links,
                                    node.journal,
                                    _ -> NodeTrace.getDefaultInstance(),
                                    List::of,
                                    Examination::getDefaultInstance,
                                    System::nanoTime)),
                            peerEndpoint(),
                            node.watch,
                            _ -> true));
            String message = String.valueOf(refused.getMessage());
            assertTrue(message.startsWith("cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": "), message);
        }
    }

    private StatusRuntimeException failed(Code code) {
        return failed(code, REQUEST);
    }

    private StatusRuntimeException failed(Code code, DeletePoolRequest request) {
        StatusRuntimeException failed =
                assertThrows(StatusRuntimeException.class, () -> node.api().deletePool(request));
        assertEquals(code, failed.getStatus().getCode(), failed::getMessage);
        return failed;
    }

    private Server leader() throws IOException {
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(peerEndpoint())
                .addService(new HealthStatusManager().getHealthService())
                .build()
                .start();
    }

    private PeerEndpoint peerEndpoint() {
        NodeSettings settings = new NodeSettings(
                "site",
                N2,
                new TreeSet<>(List.of(LoneNode.N1, N2, LoneNode.N3)),
                1,
                new Attachment("x-uplink", "uplink"),
                Ipv4Address.parse("10.10.0.1"),
                new TreeMap<>());
        return new PeerEndpoint(
                settings,
                (_, _) -> {},
                leaderLog,
                _ -> COUNTERS,
                _ -> TRACE,
                _ -> PROBES,
                () -> List.of(REFUSED),
                ForwardingTest::examination,
                new PeerTally());
    }

    /** n2's clock is a minute ahead. */
    private static Examination examination() {
        return Examination.newBuilder()
                .setNode("a liar")
                .setAnswered(true)
                .setProgramVersion("2")
                .setWallMillis(System.currentTimeMillis() + 60_000)
                .addFindings(Finding.newBuilder()
                        .setNode("n2")
                        .setCode("offload-on")
                        .setSeverity(FindingSeverity.FINDING_SEVERITY_ERROR))
                .build();
    }

    private SortedMap<NodeId, InetSocketAddress> peers() {
        SortedMap<NodeId, InetSocketAddress> peers = new TreeMap<>();
        peers.put(N2, new InetSocketAddress(InetAddress.getLoopbackAddress(), leader.getPort()));
        return peers;
    }
}
