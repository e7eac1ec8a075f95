package io.quorumlb.node.gossip;

import static io.quorumlb.node.gossip.Peer.N1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.wire.EntryCodec;
import io.quorumlb.node.wire.Messages;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.GossipBeat;
import io.quorumlb.proto.v1.GossipRequest;
import io.quorumlb.proto.v1.GossipResponse;
import io.quorumlb.proto.v1.LogEntry;
import io.quorumlb.proto.v1.PeerServiceGrpc;
import io.quorumlb.proto.v1.ProposeRequest;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerEndpointTest {
    private static final Caller GOOD =
            Caller.newBuilder().setClusterId("site").setNode("n1").build();
    private static final LogEntry ENTRY = EntryCodec.toWire(new Command.DeletePool("web"));

    private final Peer peer;
    private final ManagedChannel channel;

    PeerEndpointTest() throws IOException {
        peer = Peer.n2(0);
        channel = NettyChannelBuilder.forAddress(peer.address()).usePlaintext().build();
    }

    @BeforeEach
    void answers() {
        assertEquals(Status.Code.OK, gossip(GOOD, Messages.wireBeat(N1, 1)));
        assertEquals(1, peer.tally.counters().received());
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        peer.close();
    }

    @ParameterizedTest
    @CsvSource({
        "other,n1,OTHER_CLUSTER",
        "'',n1,OTHER_CLUSTER",
        "site,n2,SELF",
        "site,n9,UNLISTED",
        "site,'',UNLISTED",
        "site,'n\n1',UNLISTED"
    })
    void aStrangerIsRefusedAndCounted(String cluster, String node, PeerRefusal reason) throws InterruptedException {
        Caller stranger =
                Caller.newBuilder().setClusterId(cluster).setNode(node).build();
        var beat = Messages.wireBeat(N1, 2);
        assertEquals(Status.Code.PERMISSION_DENIED, gossip(stranger, beat));
        assertEquals(Status.Code.PERMISSION_DENIED, propose(stranger, ENTRY));
        assertEquals(2, refused(reason));
        assertEquals(1, peer.hearsBeat().sequence());
        assertTrue(peer.heardNothing());
        assertEquals(List.of(), peer.log.proposed());
    }

    @Test
    void theCallerOfEveryMessageIsChecked() throws InterruptedException {
        var beat = Messages.wireBeat(N1, 2);
        GossipRequest good =
                GossipRequest.newBuilder().setCaller(GOOD).addBeats(beat).build();
        GossipRequest anonymous = GossipRequest.newBuilder().addBeats(beat).build();
        assertEquals(Status.Code.PERMISSION_DENIED, gossip(List.of(good, anonymous, good)));
        assertEquals(1, refused(PeerRefusal.OTHER_CLUSTER));
        assertEquals(2, peer.tally.counters().received());
    }

    @Test
    void aMalformedBeatIsRefusedWithItsMessage() {
        var good = Messages.wireBeat(N1, 2);
        assertEquals(
                Status.Code.INVALID_ARGUMENT,
                gossip(GOOD, good, good.toBuilder().clearOwner().build()));
        assertEquals(1, refused(PeerRefusal.MALFORMED));
        assertEquals(1, peer.tally.counters().received());
    }

    @Test
    void aRecordOfANodeThatIsNotListedIsRefused() {
        var stranger = Messages.wireBeat(new NodeId("n9"), 2);
        assertEquals(Status.Code.PERMISSION_DENIED, gossip(GOOD, stranger));
        assertEquals(1, refused(PeerRefusal.UNLISTED));
    }

    @Test
    void aProposalThatCannotBeReadIsRefused() {
        assertEquals(Status.Code.INVALID_ARGUMENT, propose(GOOD, LogEntry.getDefaultInstance()));
        assertEquals(1, refused(PeerRefusal.MALFORMED));
        assertEquals(List.of(), peer.log.proposed());
    }

    @Test
    void aMessageOverTheLimitIsRefusedAndTheNextIsServed() {
        var huge = Messages.wireBeat(N1, 2).toBuilder()
                .setOwner("x".repeat(PeerEndpoint.MESSAGE_BYTES_MAX))
                .build();
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, gossip(GOOD, huge));
        assertEquals(Status.Code.OK, gossip(GOOD, Messages.wireBeat(N1, 3)));
    }

    private long refused(PeerRefusal reason) {
        return new TreeMap<>(peer.tally.counters().refused()).getOrDefault(reason, 0L);
    }

    private Status.Code propose(Caller caller, LogEntry entry) {
        ProposeRequest request =
                ProposeRequest.newBuilder().setCaller(caller).setEntry(entry).build();
        return assertThrows(
                        StatusRuntimeException.class,
                        () -> PeerServiceGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(10, TimeUnit.SECONDS)
                                .propose(request))
                .getStatus()
                .getCode();
    }

    private Status.Code gossip(Caller caller, GossipBeat... beats) {
        return gossip(List.of(GossipRequest.newBuilder()
                .setCaller(caller)
                .addAllBeats(List.of(beats))
                .build()));
    }

    private Status.Code gossip(List<GossipRequest> messages) {
        CompletableFuture<Status.Code> end = new CompletableFuture<>();
        StreamObserver<GossipRequest> stream = PeerServiceGrpc.newStub(channel).gossip(new StreamObserver<>() {
            @Override
            public void onNext(GossipResponse response) {
                // Empty.
            }

            @Override
            public void onError(Throwable cause) {
                end.complete(Status.fromThrowable(cause).getCode());
            }

            @Override
            public void onCompleted() {
                end.complete(Status.Code.OK);
            }
        });
        messages.forEach(stream::onNext);
        stream.onCompleted();
        return end.orTimeout(10, TimeUnit.SECONDS).join();
    }
}
