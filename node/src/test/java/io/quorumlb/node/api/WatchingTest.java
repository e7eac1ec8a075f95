package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.node.state.ChangeJournal;
import io.quorumlb.proto.v1.ChangeKind;
import io.quorumlb.proto.v1.ClusterEvent;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.WatchRequest;
import io.quorumlb.proto.v1.WatchResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Following what the cluster commits, over a real connection. */
class WatchingTest {
    private static final Pool POOL = new Pool(
            0,
            "web",
            HashAlgoVersion.V2,
            256,
            new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3));

    private LoneNode node;
    private final Context.CancellableContext calls = Context.current().withCancellation();

    @BeforeEach
    void start() throws IOException {
        node = LoneNode.leading();
    }

    @AfterEach
    void stop() {
        calls.cancel(null);
        node.close();
    }

    private Iterator<WatchResponse> watch(WatchRequest request) {
        Context before = calls.attach();
        try {
            return node.api().watch(request);
        } finally {
            calls.detach(before);
        }
    }

    private static WatchRequest after(long index) {
        return WatchRequest.newBuilder().setAfterIndex(index).build();
    }

    private void service(NodeId which, Command.Service service, String reason) {
        var _ = node.commit(
                new Command.SetService(which, service, reason, new TreeSet<>(List.of(LoneNode.N2, LoneNode.N3))));
    }

    private static List<String> told(Iterator<WatchResponse> answers, int events) {
        List<String> told = new ArrayList<>();
        while (told.size() < events) {
            answers.next().getEventsList().forEach(event -> told.add(word(event)));
        }
        return told;
    }

    private static String word(ClusterEvent event) {
        return switch (event.getEventCase()) {
            case SERVICE -> event.getService().getNode() + (event.getService().getInService() ? " in" : " out");
            case POOL ->
                event.getPool().getPool().getName() + " " + event.getPool().getKind();
            default -> event.getEventCase().toString();
        };
    }

    @Test
    void theFirstAnswerSaysWhereItStartsAndTheNextWhatChanges() {
        service(LoneNode.N1, Command.Service.OUT, "before");
        Iterator<WatchResponse> answers = watch(WatchRequest.getDefaultInstance());
        WatchResponse first = answers.next();
        assertEquals(1, first.getIndex());
        assertEquals(0, first.getEventsCount());
        service(LoneNode.N1, Command.Service.IN, "");
        assertEquals(List.of("n1 in"), told(answers, 1));
    }

    @Test
    void aBrokenFollowerGoesOnWithoutGapOrRepetition() {
        for (int i = 0; i < 10; i++) {
            service(LoneNode.N1, i % 2 == 0 ? Command.Service.OUT : Command.Service.IN, "test");
        }
        Iterator<WatchResponse> first = watch(after(0));
        assertEquals(List.of("n1 out", "n1 in", "n1 out"), told(first, 3));
        assertEquals(
                List.of("n1 in", "n1 out", "n1 in", "n1 out", "n1 in", "n1 out", "n1 in"), told(watch(after(3)), 7));
    }

    @Test
    void anObjectIsToldAsItIs() {
        Iterator<WatchResponse> answers = watch(after(0));
        answers.next();
        var _ = node.commit(new Command.CreatePool(POOL));
        var _ = node.commit(new Command.SetMinEligible("web", 2));
        var _ = node.commit(new Command.DeletePool("web"));
        assertEquals(
                List.of(
                        "web " + ChangeKind.CHANGE_KIND_CREATED,
                        "web " + ChangeKind.CHANGE_KIND_CHANGED,
                        "web " + ChangeKind.CHANGE_KIND_DELETED),
                told(answers, 3));
    }

    @Test
    void whatIsNoLongerKeptIsSaid() {
        ClusterState state = ClusterState.empty();
        node.journal.advanced(500, state);
        Iterator<WatchResponse> answers = watch(after(3));
        var refused = assertThrows(StatusRuntimeException.class, answers::next);
        assertEquals(Code.OUT_OF_RANGE, refused.getStatus().getCode());
        String message = String.valueOf(refused.getStatus().getDescription());
        assertTrue(message.contains("after index 3 are no longer kept here, those after 500 are"), message);
    }

    /** One that takes nothing is cut off with the index to go on from; another hears everything meanwhile. */
    @Test
    void aSlowFollowerIsCutOffAndNobodyElseNotices() throws Exception {
        var journal = new ChangeJournal();
        var watching = new Watching(journal, Duration.ofMillis(300));
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new ControlServiceGrpc.ControlServiceImplBase() {
                    @Override
                    public void watch(WatchRequest request, StreamObserver<WatchResponse> response) {
                        watching.start(request, (ServerCallStreamObserver<WatchResponse>) response);
                    }
                })
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
                .usePlaintext()
                .build();
        try {
            var end = new CompletableFuture<Status>();
            ClientCall<WatchRequest, WatchResponse> lazy =
                    channel.newCall(ControlServiceGrpc.getWatchMethod(), CallOptions.DEFAULT);
            lazy.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            end.complete(status);
                        }
                    },
                    new Metadata());
            lazy.sendMessage(after(0));
            lazy.halfClose();
            lazy.request(1);
            Iterator<WatchResponse> quick = ControlServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .watch(after(0));
            until(() -> watching.watchers() == 2);
            int entries = 3000;
            ClusterState state = ClusterState.empty();
            for (int i = 0; i < entries; i++) {
                state = StateMachine.apply(
                                state,
                                new Command.SetService(
                                        LoneNode.N1,
                                        i % 2 == 0 ? Command.Service.OUT : Command.Service.IN,
                                        "x".repeat(2000),
                                        new TreeSet<>(List.of(LoneNode.N2, LoneNode.N3))))
                        .state();
                journal.advanced(i + 1, state);
            }
            assertEquals(entries, told(quick, entries).size());
            until(() -> watching.watchers() == 1);
            lazy.request(entries * 2);
            Status status = end.get(30, TimeUnit.SECONDS);
            assertEquals(Code.RESOURCE_EXHAUSTED, status.getCode(), status::toString);
            String message = String.valueOf(status.getDescription());
            assertTrue(message.contains("no answer was taken for 300 ms: go on after the index"), message);
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    private static void until(BooleanSupplier wanted) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!wanted.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "not within 30 s");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Test
    void followingTellsNothingThatIsNotCommitted() {
        Iterator<WatchResponse> answers = watch(after(0));
        answers.next();
        var _ = node.commit(new Command.DeletePool("nowhere"));
        service(LoneNode.N1, Command.Service.OUT, "real");
        assertEquals(List.of("n1 out"), told(answers, 1));
    }
}
