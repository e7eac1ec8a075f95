package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GossipingTest {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration BOUND = Duration.ofMillis(40);

    private final FakeLog log = new FakeLog();
    private MonotonicTime now = new MonotonicTime(0);
    private final NodeDriver n1 = new NodeDriver(Site.N1, 5, new FakeSwitch(Site.PORTS), log, now);

    private void run(Duration time) {
        for (MonotonicTime end = now.plus(time); !now.reached(end); ) {
            now = now.plus(TICK);
            n1.step(now);
        }
    }

    private static Beat beat(NodeId owner, long incarnation, long sequence, long version, Duration age) {
        SortedMap<Duration, Duration> bounds = new TreeMap<>();
        bounds.put(INTERVAL, BOUND);
        return new Beat(
                owner, incarnation, sequence, version, age, bounds, new TreeMap<>(), Duration.ZERO, OpaqueBytes.NONE);
    }

    /** The whole record of a node that has found member 1, the version being that of this. */
    private Delta whole(NodeId owner, long incarnation, long version, Health health) {
        return new Delta(
                owner,
                incarnation,
                0,
                version,
                version,
                List.of(
                        Entry.own(
                                EntryKey.node(),
                                version - 1,
                                new Content.OfNode(n1.report().lasting())),
                        member(owner, Site.BE1, version, health)));
    }

    private static Entry member(NodeId owner, int id, long version, Health health) {
        var seen = new Observation(owner, id, health, Suspicion.NONE, Duration.ZERO, "probe");
        return Entry.own(EntryKey.member(id), version, new Content.OfMember(seen, INTERVAL));
    }

    /** A record and its beat, the version being the sequence. */
    private GossipMessage record(NodeId owner, long incarnation, long sequence, Duration age, Health health) {
        return new GossipMessage(
                List.of(beat(owner, incarnation, sequence, sequence, age)),
                List.of(whole(owner, incarnation, sequence, health)),
                List.of(),
                List.of());
    }

    private void hear(NodeId from, GossipMessage message) {
        n1.deliver(new NodeEvent.GossipReceived(from, message));
        run(TICK);
    }

    private void hear(GossipMessage message) {
        hear(Site.N2, message);
    }

    private static GossipMessage only(Beat beat) {
        return new GossipMessage(List.of(beat), List.of(), List.of(), List.of());
    }

    private static GossipMessage only(Delta delta) {
        return new GossipMessage(List.of(), List.of(delta), List.of(), List.of());
    }

    private NodeRecord held(NodeId owner) {
        return ClusterViews.view(n1.state(), owner, now).record().orElseThrow();
    }

    private List<Observation> seenBy(NodeId owner) {
        return n1.state().observations(now).stream()
                .filter(seen -> seen.observer().equals(owner))
                .toList();
    }

    private Health healthBy(NodeId owner) {
        return seenBy(owner).getFirst().health();
    }

    private List<GossipMessage> sent(NodeId to) {
        return n1.wanted(NodeEffect.Gossip.class).stream()
                .filter(gossip -> gossip.to().equals(to))
                .map(NodeEffect.Gossip::message)
                .toList();
    }

    private Optional<Beat> lastBeat(NodeId to, NodeId owner) {
        return sent(to).stream()
                .flatMap(message -> message.beats().stream())
                .filter(beat -> beat.owner().equals(owner))
                .reduce((_, last) -> last);
    }

    private List<Stamp> wanted(NodeId from) {
        return sent(from).stream().flatMap(message -> message.wanted().stream()).toList();
    }

    @Test
    void aNewerRecordReplacesAnOlderOneAndNeverTheOtherWay() {
        hear(record(Site.N2, 1, 7, Duration.ZERO, Health.UP));
        hear(record(Site.N2, 1, 6, Duration.ZERO, Health.DOWN));
        assertEquals(Health.UP, healthBy(Site.N2), "lower sequence and version");
        hear(record(Site.N2, 1, 8, Duration.ZERO, Health.DOWN));
        assertEquals(Health.DOWN, healthBy(Site.N2), "higher sequence and version");
        hear(record(Site.N2, 2, 2, Duration.ZERO, Health.UP));
        assertEquals(Health.UP, healthBy(Site.N2), "higher incarnation");
        hear(record(Site.N2, 1, 99, Duration.ZERO, Health.DOWN));
        assertEquals(Health.UP, healthBy(Site.N2), "lower incarnation");
    }

    @Test
    void aBeatRefreshesAllThatHasNotChanged() {
        hear(record(Site.N2, 1, 7, Duration.ZERO, Health.UP));
        run(Duration.ofSeconds(2));
        hear(only(beat(Site.N2, 1, 8, 7, Duration.ofMillis(10))));
        Duration age = seenBy(Site.N2).getFirst().age();
        assertEquals(Duration.ofMillis(40 + 10 + 20), age, "at the observer, on the way, one step here");
        assertEquals(Duration.ofMillis(10 + 20), held(Site.N2).age());
    }

    @Test
    void aBeatOfALaterVersionRefreshesNothingUntilThatVersionIsHeld() {
        hear(record(Site.N2, 1, 7, Duration.ZERO, Health.UP));
        run(Duration.ofSeconds(2));
        hear(only(beat(Site.N2, 1, 8, 9, Duration.ZERO)));
        assertTrue(seenBy(Site.N2).getFirst().age().compareTo(Duration.ofSeconds(2)) > 0);
        hear(only(new Delta(Site.N2, 1, 7, 9, 9, List.of(member(Site.N2, 2, 9, Health.DOWN)))));
        assertEquals(2, seenBy(Site.N2).size());
        seenBy(Site.N2).forEach(seen -> assertTrue(seen.age().compareTo(Duration.ofMillis(100)) <= 0));
    }

    @Test
    void betweenTwoPartsOfADeltaNothingIsRefreshed() {
        hear(record(Site.N2, 1, 7, Duration.ZERO, Health.UP));
        run(Duration.ofSeconds(2));
        // Member 1 changed at 8 and at 12: only the later change is in the parts.
        hear(new GossipMessage(
                List.of(beat(Site.N2, 1, 8, 9, Duration.ZERO)),
                List.of(new Delta(Site.N2, 1, 7, 10, 12, List.of(member(Site.N2, 2, 10, Health.UP)))),
                List.of(),
                List.of()));
        assertTrue(seenBy(Site.N2).getFirst().age().compareTo(Duration.ofSeconds(2)) > 0, "held as of 7");
        hear(new GossipMessage(
                List.of(beat(Site.N2, 1, 9, 12, Duration.ZERO)),
                List.of(new Delta(Site.N2, 1, 10, 12, 12, List.of(member(Site.N2, 1, 12, Health.DOWN)))),
                List.of(),
                List.of()));
        assertEquals(Health.DOWN, healthBy(Site.N2));
        assertTrue(seenBy(Site.N2).getFirst().age().compareTo(Duration.ofMillis(100)) <= 0);
    }

    @Test
    void theSameBeatHeardAgainDoesNotMakeAnythingYounger() {
        hear(record(Site.N2, 1, 7, Duration.ofMillis(100), Health.UP));
        run(Duration.ofMillis(600));
        hear(Site.N3, only(beat(Site.N2, 1, 7, 7, Duration.ofMillis(10))));
        assertEquals(Duration.ofMillis(100 + 20 + 620), held(Site.N2).age());
    }

    @Test
    void agesAddUpOverForwardersAndWaiting() {
        hear(Site.N2, record(Site.N3, 1, 2, Duration.ofMillis(300), Health.UP));
        run(INTERVAL);
        Duration relayed = lastBeat(Site.N2, Site.N3).orElseThrow().age();
        assertTrue(relayed.compareTo(Duration.ofMillis(800)) >= 0, "waited here: " + relayed);
        assertTrue(relayed.compareTo(Duration.ofMillis(1320)) <= 0, "waited here: " + relayed);
        assertEquals(
                Duration.ofMillis(40 + 300 + 20 + 1000),
                seenBy(Site.N3).getFirst().age(),
                "at the observer, on the way, one step, here");
    }

    @Test
    void whatComesInAfterAStandstillMayHaveWaitedForAsLong() {
        hear(record(Site.N2, 1, 7, Duration.ZERO, Health.UP));
        now = now.plus(Duration.ofSeconds(5));
        hear(only(beat(Site.N2, 1, 8, 7, Duration.ZERO)));
        assertTrue(held(Site.N2).age().compareTo(Duration.ofSeconds(5)) >= 0, "was it sent before or after?");
        run(Duration.ofSeconds(1));
        hear(only(beat(Site.N2, 1, 9, 7, Duration.ZERO)));
        assertTrue(held(Site.N2).age().compareTo(Duration.ofMillis(40)) <= 0, "after");
    }

    @Test
    void aNodeGoesAboveALaterLifeOfItself() {
        run(Duration.ofMillis(100));
        hear(only(beat(Site.N1, 9, 1000, 1000, Duration.ZERO)));
        assertEquals(10, lastBeat(Site.N2, Site.N1).orElseThrow().incarnation());
        hear(only(lastBeat(Site.N2, Site.N1).orElseThrow()));
        run(INTERVAL);
        assertEquals(10, lastBeat(Site.N2, Site.N1).orElseThrow().incarnation(), "its own beat, relayed back");
        hear(record(Site.N1, 10, 5000, Duration.ZERO, Health.DOWN));
        run(INTERVAL);
        assertEquals(11, lastBeat(Site.N2, Site.N1).orElseThrow().incarnation(), "more than it ever said");
        assertEquals(List.of(), n1.state().observations(now), "what others say it has seen is not what it has seen");
    }

    @Test
    void afterGoingAboveAPeerIsSentTheWholeRecord() {
        run(INTERVAL);
        n1.forget();
        hear(only(beat(Site.N1, 9, 1000, 1000, Duration.ZERO)));
        Delta delta = sent(Site.N3).getFirst().deltas().getFirst();
        assertEquals(0, delta.base());
        assertEquals(10, delta.incarnation());
        assertFalse(delta.entries().isEmpty());
    }

    @Test
    void recordsOfNodesOutsideTheClusterAreIgnored() {
        hear(record(new NodeId("stranger"), 1, 2, Duration.ZERO, Health.UP));
        hear(new NodeId("stranger"), record(Site.N2, 1, 2, Duration.ZERO, Health.UP));
        run(INTERVAL);
        assertEquals(List.of(), n1.state().observations(now));
        assertTrue(sent(Site.N2).stream()
                .flatMap(message -> message.beats().stream())
                .allMatch(beat -> beat.owner().equals(Site.N1)));
    }

    @Test
    void aQuietNodeBeatsEveryHalfSecondWithGrowingSequence() {
        run(Duration.ofSeconds(2));
        n1.forget();
        run(Duration.ofSeconds(10));
        List<Long> sequences = new ArrayList<>();
        for (GossipMessage message : sent(Site.N2)) {
            assertEquals(List.of(), message.deltas(), "nothing has changed");
            message.beats().forEach(beat -> sequences.add(beat.sequence()));
        }
        assertEquals(20, sequences.size(), 1, "every 500 ms");
        for (int i = 1; i < sequences.size(); i++) {
            assertEquals(sequences.get(i - 1) + 1, sequences.get(i));
        }
    }

    @Test
    void aChangeIsSentToEveryPeerInTheSameStepAndNothingElseWithIt() {
        Site.configure(log);
        log.elect(Site.N2);
        run(Duration.ofSeconds(5));
        n1.answering.remove(Site.BE1);
        n1.forget();
        while (n1.said("to=DOWN").isEmpty()) {
            n1.forget();
            run(TICK);
        }
        for (NodeId peer : List.of(Site.N2, Site.N3)) {
            List<Entry> entries = sent(peer).getLast().deltas().getFirst().entries();
            assertTrue(
                    entries.stream()
                            .anyMatch(entry -> entry.content() instanceof Content.OfMember found
                                    && found.seen().memberId() == Site.BE1
                                    && found.seen().health() == Health.DOWN),
                    entries::toString);
            assertTrue(entries.size() <= 2, entries::toString);
        }
    }

    @Test
    void aGapIsAskedForAtOnceAndThenNotAgainForAWhile() {
        var gap = new Delta(Site.N3, 4, 50, 51, 51, List.of(member(Site.N3, 1, 51, Health.UP)));
        hear(Site.N2, only(gap));
        assertEquals(List.of(Stamp.nothing(Site.N3)), wanted(Site.N2), "of whom it came from");
        hear(Site.N2, only(gap));
        assertEquals(1, wanted(Site.N2).size() + wanted(Site.N3).size());
        run(Duration.ofMillis(200));
        hear(Site.N2, only(gap));
        assertEquals(2, wanted(Site.N2).size());
    }

    @Test
    void whatABeatSpeaksOfIsAskedForFromOneAfterTheOther() {
        hear(Site.N2, only(beat(Site.N3, 4, 9, 30, Duration.ZERO)));
        assertEquals(0, wanted(Site.N2).size(), "it may be on its way from the owner");
        run(Duration.ofMillis(100));
        assertEquals(1, wanted(Site.N2).size(), "the one who said it");
        assertEquals(0, wanted(Site.N3).size());
        run(Duration.ofMillis(200));
        assertEquals(1, wanted(Site.N3).size(), "no answer: the next one");
        hear(Site.N3, only(whole(Site.N3, 4, 30, Health.UP)));
        n1.forget();
        run(INTERVAL);
        assertEquals(0, wanted(Site.N2).size() + wanted(Site.N3).size(), "nothing is missing any more");
    }

    @Test
    void whoAsksIsSentAllThatIsHeldAfterHisStamp() {
        hear(Site.N3, record(Site.N3, 4, 30, Duration.ZERO, Health.UP));
        n1.forget();
        hear(
                Site.N2,
                new GossipMessage(
                        List.of(), List.of(), List.of(), List.of(new Stamp(Site.N3, 4, 29), new Stamp(Site.N1, 5, 0))));
        GossipMessage answer = sent(Site.N2).getFirst();
        assertEquals(
                List.of(30L),
                answer.deltas().stream()
                        .filter(delta -> delta.owner().equals(Site.N3))
                        .flatMap(delta -> delta.entries().stream())
                        .map(Entry::version)
                        .toList());
        assertTrue(answer.deltas().stream().anyMatch(delta -> delta.owner().equals(Site.N1)));
        assertEquals(2, answer.beats().size(), "a record without its beat would say nothing");
    }

    @Test
    void everyHalfSecondOnePeerIsToldHowMuchIsHeldAndOverTimeAllAre() {
        run(Duration.ofSeconds(20));
        long n2 = sent(Site.N2).stream()
                .filter(message -> !message.held().isEmpty())
                .count();
        long n3 = sent(Site.N3).stream()
                .filter(message -> !message.held().isEmpty())
                .count();
        assertTrue(Math.abs(40 - n2 - n3) <= 1, n2 + " and " + n3);
        assertTrue(n2 >= 10 && n3 >= 10, n2 + " and " + n3);
    }

    @Test
    void anExchangeGoesBothWays() {
        hear(Site.N3, record(Site.N3, 4, 30, Duration.ZERO, Health.UP));
        n1.forget();
        List<Stamp> theirs = List.of(new Stamp(Site.N1, 5, 0), new Stamp(Site.N2, 3, 8), new Stamp(Site.N3, 4, 12));
        hear(Site.N2, new GossipMessage(List.of(), List.of(), theirs, List.of()));
        assertEquals(
                List.of(Site.N1, Site.N3),
                sent(Site.N2).getFirst().deltas().stream().map(Delta::owner).toList());
        assertEquals(List.of(Stamp.nothing(Site.N2)), wanted(Site.N2));
    }

    @Test
    void manyRemovedEntriesBeginTheRecordAnew() {
        NodeState state = n1.state();
        Published own = state.gossip().own();
        List<Entry> gone = new ArrayList<>();
        for (int i = 1; i <= Publishing.GONE_MAX + 1; i++) {
            gone.add(Entry.own(EntryKey.member(i), i, new Content.Gone()));
        }
        var content = new Document(
                5, gone.size(), gone.size(), own.content().entries().with(gone));
        var crowded = new Published(
                content,
                own.sequence(),
                own.probes(),
                own.pools(),
                own.bounds(),
                own.boundsAt(),
                own.lookedAt(),
                own.beat());
        Turn turn = new Turn(state, now);
        turn.gossip = turn.gossip.published(crowded, now);
        Gossiping.due(turn);
        Document next = turn.finish().state().gossip().own().content();
        assertEquals(6, next.incarnation());
        assertEquals(0, next.entries().gone());
        assertEquals(1, next.entries().after(0).size(), "what it says of itself");
    }
}
