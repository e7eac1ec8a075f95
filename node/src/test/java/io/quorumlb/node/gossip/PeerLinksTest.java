package io.quorumlb.node.gossip;

import static io.quorumlb.node.gossip.Peer.N1;
import static io.quorumlb.node.gossip.Peer.N2;
import static io.quorumlb.node.gossip.Peer.N3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.Beat;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.wire.Messages;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.TracedPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class PeerLinksTest {
    private static final Command COMMAND = new Command.DeletePool("web");
    private static final LinkTimes TIMES = new LinkTimes(
            Duration.ofSeconds(3),
            Duration.ofMillis(50),
            Duration.ofMillis(1500),
            Duration.ofMillis(50),
            Duration.ofMillis(600));

    private final PeerTally tally = new PeerTally();

    @Test
    void messagesArriveAsTheyWereSentButOlder() throws Exception {
        Beat sent = Messages.beat(N1, 7, 1).older(Duration.ofMillis(40));
        try (Peer peer = Peer.n2(0);
                PeerLinks links = links(peer.address())) {
            links.send(N2, Messages.of(sent));
            Beat heard = peer.hearsBeat();
            assertEquals(sent, heard.older(sent.age().minus(heard.age())));
            assertTrue(heard.age().compareTo(sent.age()) >= 0, "age " + heard.age());
        }
    }

    @Test
    void theLatestMessageWaitsForAPeerThatIsDownAndAges() throws Exception {
        int port;
        try (Peer gone = Peer.n2(0)) {
            port = gone.port();
        }
        long before = System.nanoTime();
        try (PeerLinks links = links(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            links.send(N2, Messages.of(Messages.beat(N1, 7, 1)));
            links.send(N2, Messages.of(Messages.beat(N1, 7, 2)));
            long after = System.nanoTime();
            try (Peer peer = Peer.n2(port)) {
                Beat heard = peer.hearsBeat();
                assertEquals(2, heard.sequence());
                Duration bound = Duration.ofNanos(System.nanoTime() - before).plusMillis(1);
                assertTrue(heard.age().compareTo(bound) <= 0, heard.age() + " of at most " + bound);
                assertTrue(heard.age().isPositive(), "waited from " + after + ", says it did not");
                assertEquals(1, tally.counters().dropped());
                assertEquals(1, tally.counters().sent());
                assertEquals(1, peer.tally.counters().received());
            }
        }
    }

    @Test
    void aSlowPeerGetsTheLatestAndTheRestIsDropped() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        int messages = 2000;
        GossipMessage bulk = Messages.large(N3, 500);
        try (Peer peer = Peer.n2(_ -> awaitUninterruptibly(busy));
                PeerLinks links = links(peer.address())) {
            await("connected", () -> !links.connected().isEmpty());
            for (int sequence = 1; sequence < messages; sequence++) {
                links.send(N2, bulk);
            }
            Beat last = Messages.beat(N1, 7, messages);
            links.send(N2, Messages.of(last));
            PeerCounters counters = tally.counters();
            assertTrue(counters.dropped() > messages / 2, "dropped " + counters.dropped());
            busy.countDown();
            Beat heard = peer.hearsBeat();
            while (heard.sequence() != messages) {
                heard = peer.hearsBeat();
            }
            assertEquals(N1, heard.owner());
            assertEquals(messages, tally.counters().sent() + counters.dropped());
        }
    }

    @Test
    void aPeerSaysWhatItCountedAndOnlyForItself() throws Exception {
        Duration limit = Duration.ofSeconds(20);
        var wanted = GetCountersRequest.newBuilder().setPool("web").build();
        Peer peer = Peer.n2(0);
        try (PeerLinks links = links(peer.address())) {
            await("connected", () -> links.connected().contains(N2));
            NodeCounters counters = links.counters(N2, wanted, limit).get(30, TimeUnit.SECONDS);
            assertEquals("n2", counters.getNode());
            assertTrue(counters.getAnswered());
            assertEquals("web", counters.getMembers(0).getPool());
            peer.close();
            await("lost", () -> links.connected().isEmpty());
            NodeCounters none = links.counters(N2, wanted, limit).get(30, TimeUnit.SECONDS);
            assertEquals("n2", none.getNode());
            assertFalse(none.getAnswered());
            assertEquals("not connected", none.getReason());
            assertEquals(
                    "there is no way to it",
                    links.counters(N3, wanted, limit).get(30, TimeUnit.SECONDS).getReason());
        } finally {
            peer.close();
        }
    }

    @Test
    void aPeerSaysWhatItWouldDoWithAPacketAndOnlyForItself() throws Exception {
        Duration limit = Duration.ofSeconds(20);
        var packet = TracedPacket.newBuilder().setSourceAddress("10.40.0.9").build();
        CountDownLatch busy = new CountDownLatch(1);
        Peer peer = Peer.n2(0);
        try (PeerLinks links = links(peer.address())) {
            await("connected", () -> links.connected().contains(N2));
            NodeTrace trace = links.trace(N2, packet, limit).get(30, TimeUnit.SECONDS);
            assertEquals("n2", trace.getNode());
            assertEquals("10.40.0.9", trace.getMember());
            peer.tracer = _ -> {
                throw new IllegalArgumentException("packet.protocol 0 is outside 1..255");
            };
            String refused =
                    links.trace(N2, packet, limit).get(30, TimeUnit.SECONDS).getTrouble();
            assertTrue(refused.startsWith("not answered: "), refused);
            assertEquals(1, refusals(peer, PeerRefusal.MALFORMED));
            peer.tracer = _ -> {
                awaitUninterruptibly(busy);
                return NodeTrace.getDefaultInstance();
            };
            NodeTrace late = links.trace(N2, packet, Duration.ofMillis(50)).get(30, TimeUnit.SECONDS);
            assertEquals(List.of("n2", "no answer in time"), List.of(late.getNode(), late.getTrouble()));
            busy.countDown();
            peer.close();
            await("lost", () -> links.connected().isEmpty());
            NodeTrace none = links.trace(N2, packet, limit).get(30, TimeUnit.SECONDS);
            assertEquals(List.of("n2", "not connected"), List.of(none.getNode(), none.getTrouble()));
            assertEquals(
                    "there is no way to it",
                    links.trace(N3, packet, limit).get(30, TimeUnit.SECONDS).getTrouble());
        } finally {
            busy.countDown();
            peer.close();
        }
    }

    @Test
    void aReturnedPeerIsHeardAgain() throws Exception {
        Peer first = Peer.n2(0);
        try (PeerLinks links = links(first.address())) {
            await("connected", () -> links.connected().contains(N2));
            first.close();
            await("lost", () -> links.connected().isEmpty());
            assertNotLeader(links);
            try (Peer second = Peer.n2(first.port())) {
                links.send(N2, Messages.of(Messages.beat(N1, 7, 2)));
                assertEquals(2, second.hearsBeat().sequence());
            }
        } finally {
            first.close();
        }
    }

    @Test
    void aCutPathIsNoticedAndUsedAgainWhenItIsBack() throws Exception {
        try (Peer peer = Peer.n2(0);
                Valve valve = new Valve(peer.address());
                PeerLinks links = links(valve.address())) {
            await("connected", () -> links.connected().contains(N2));
            long cut = System.nanoTime();
            valve.shut();
            await("lost", () -> links.connected().isEmpty());
            Duration noticed = Duration.ofNanos(System.nanoTime() - cut);
            assertTrue(noticed.compareTo(Duration.ofSeconds(4)) < 0, "noticed after " + noticed);
            valve.open();
            links.send(N2, Messages.of(Messages.beat(N1, 7, 9)));
            assertEquals(9, peer.hearsBeat().sequence());
        }
    }

    @Test
    void aFrozenPeerIsNotConnected() throws Exception {
        LinkTimes hasty =
                new LinkTimes(Duration.ofMillis(100), TIMES.period(), TIMES.answer(), TIMES.backoff(), TIMES.propose());
        try (ServerSocket frozen = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                PeerLinks links =
                        links(hasty, new InetSocketAddress(InetAddress.getLoopbackAddress(), frozen.getLocalPort()))) {
            links.send(N2, Messages.of(Messages.beat(N1, 7, 1)));
            try (var _ = frozen.accept();
                    var _ = frozen.accept()) {
                // The second connection shows that the first was given up, although the kernel had opened it.
                assertTrue(links.connected().isEmpty());
                assertEquals(0, tally.counters().sent());
                assertNotLeader(links);
            }
        }
    }

    @Test
    void aPeerThatRefusesUsIsNotConnected() throws Exception {
        NodeSettings stranger = Peer.settings("other-site", N1, List.of(N1, N2));
        try (Peer peer = Peer.n2(0);
                PeerLinks links = new PeerLinks(stranger, addresses(peer.address()), tally, TIMES)) {
            await("refused twice", () -> refusals(peer, PeerRefusal.OTHER_CLUSTER) >= 2);
            assertTrue(links.connected().isEmpty());
            assertTrue(peer.heardNothing());
        }
    }

    @Test
    void aProposalIsAnsweredByTheLeader() throws Exception {
        try (Peer leader = Peer.n2(0);
                PeerLinks links = links(leader.address())) {
            await("connected", () -> links.connected().contains(N2));
            for (ProposeOutcome outcome : List.of(
                    new ProposeOutcome.Committed(new Outcome.Done(3, 9)),
                    new ProposeOutcome.Committed(
                            new Outcome.Refused(Outcome.Cause.NOT_FOUND, "pool", "pool 'web' does not exist")),
                    new ProposeOutcome.NotLeader(Optional.empty()),
                    new ProposeOutcome.Unknown("deposed"))) {
                leader.log.answer(_ -> outcome);
                assertEquals(outcome, propose(links));
            }
            leader.log.answer(_ -> new ProposeOutcome.NotLeader(Optional.of(N3)));
            assertNotLeader(links);
            assertEquals(Collections.nCopies(5, COMMAND), leader.log.proposed());
        }
    }

    @Test
    void aLeaderThatFallsSilentLeavesTheOutcomeUnknown() throws Exception {
        try (Peer leader = Peer.n2(0);
                PeerLinks links = links(leader.address())) {
            await("connected", () -> links.connected().contains(N2));
            leader.log.fallSilent();
            assertInstanceOf(ProposeOutcome.Unknown.class, propose(links));
        }
    }

    @Test
    void nobodyIsAskedAboutANodeWithoutALink() throws Exception {
        try (Peer peer = Peer.n2(0);
                PeerLinks links = links(peer.address())) {
            ProposeOutcome outcome = links.propose(N1, COMMAND).get(10, TimeUnit.SECONDS);
            assertEquals(new ProposeOutcome.NotLeader(Optional.empty()), outcome);
        }
    }

    private PeerLinks links(InetSocketAddress n2) {
        return links(TIMES, n2);
    }

    private PeerLinks links(LinkTimes times, InetSocketAddress n2) {
        return new PeerLinks(Peer.settings(N1), addresses(n2), tally, times);
    }

    private static SortedMap<NodeId, InetSocketAddress> addresses(InetSocketAddress n2) {
        SortedMap<NodeId, InetSocketAddress> addresses = new TreeMap<>();
        addresses.put(N1, InetSocketAddress.createUnresolved("this-node-is-not-called", 1));
        addresses.put(N2, n2);
        return addresses;
    }

    private static ProposeOutcome propose(PeerLinks links) throws Exception {
        return links.propose(N2, COMMAND).get(10, TimeUnit.SECONDS);
    }

    private static void assertNotLeader(PeerLinks links) throws Exception {
        assertEquals(new ProposeOutcome.NotLeader(Optional.empty()), propose(links));
    }

    private static long refusals(Peer peer, PeerRefusal reason) {
        return new TreeMap<>(peer.tally.counters().refused()).getOrDefault(reason, 0L);
    }

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(20)) {
                throw new AssertionError("not " + what + " within 20 s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
