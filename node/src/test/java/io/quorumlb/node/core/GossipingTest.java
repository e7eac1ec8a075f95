package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GossipingTest {
    private static final Duration TICK = Duration.ofMillis(20);

    private final FakeLog log = new FakeLog();
    private MonotonicTime now = new MonotonicTime(0);
    private final NodeDriver n1 = new NodeDriver(Site.N1, 5, new FakeSwitch(Site.PORTS), log, now);

    private void run(Duration time) {
        for (MonotonicTime end = now.plus(time); !now.reached(end); ) {
            now = now.plus(TICK);
            n1.step(now);
        }
    }

    /** A record of a node that has found member 1. */
    private NodeRecord record(NodeId owner, long incarnation, long sequence, Duration age, Health health) {
        var seen = new Observation(owner, Site.BE1, health, Suspicion.NONE, Duration.ofMillis(40), "probe");
        return new NodeRecord(owner, incarnation, sequence, age, List.of(seen), n1.report());
    }

    private void hear(NodeRecord... records) {
        n1.deliver(new NodeEvent.RecordsReceived(List.of(records)));
        run(TICK);
    }

    private NodeRecord held(NodeId owner) {
        return ClusterViews.view(n1.state(), owner, now).record().orElseThrow();
    }

    private Health seenBy(NodeId owner) {
        return held(owner).observations().getFirst().health();
    }

    @Test
    void aNewerRecordReplacesAnOlderOneAndNeverTheOtherWay() {
        hear(record(Site.N2, 1, 7, Duration.ZERO, Health.UP));
        hear(record(Site.N2, 1, 6, Duration.ZERO, Health.DOWN));
        assertEquals(Health.UP, seenBy(Site.N2), "lower sequence");
        hear(record(Site.N2, 1, 8, Duration.ZERO, Health.DOWN));
        assertEquals(Health.DOWN, seenBy(Site.N2), "higher sequence");
        hear(record(Site.N2, 2, 1, Duration.ZERO, Health.UP));
        assertEquals(Health.UP, seenBy(Site.N2), "higher incarnation");
        hear(record(Site.N2, 1, 99, Duration.ZERO, Health.DOWN));
        assertEquals(Health.UP, seenBy(Site.N2), "lower incarnation");
    }

    @Test
    void theSameRecordHeardAgainDoesNotBecomeYounger() {
        hear(record(Site.N2, 1, 7, Duration.ofMillis(100), Health.UP));
        run(Duration.ofMillis(600));
        hear(record(Site.N2, 1, 7, Duration.ofMillis(10), Health.UP));
        assertEquals(Duration.ofMillis(720), held(Site.N2).age());
    }

    @Test
    void agesAddUpOverForwardersAndWaiting() {
        hear(record(Site.N3, 1, 1, Duration.ofMillis(300), Health.UP));
        run(Duration.ofSeconds(1));
        NodeRecord relayed = n1.wanted(NodeEffect.Gossip.class).getLast().records().stream()
                .filter(record -> record.owner().equals(Site.N3))
                .findFirst()
                .orElseThrow();
        assertTrue(relayed.age().compareTo(Duration.ofMillis(800)) >= 0, "waited here: " + relayed.age());
        assertTrue(relayed.age().compareTo(Duration.ofMillis(1300)) <= 0, "waited here: " + relayed.age());
        Observation seen = n1.state().observations(now).getFirst();
        assertEquals(Duration.ofMillis(40 + 300 + 1000), seen.age(), "at the observer, on the way, here");
    }

    @Test
    void aNodeGoesAboveALaterLifeOfItself() {
        run(Duration.ofMillis(100));
        hear(record(Site.N1, 9, 1000, Duration.ZERO, Health.DOWN));
        NodeRecord own = lastOwn();
        assertEquals(10, own.incarnation());
        hear(record(Site.N1, 10, 5000, Duration.ZERO, Health.DOWN));
        run(Duration.ofSeconds(1));
        assertEquals(10, lastOwn().incarnation(), "its own record, relayed back, changes nothing");
        assertEquals(List.of(), n1.state().observations(now), "what others say it has seen is not what it has seen");
    }

    private NodeRecord lastOwn() {
        return n1.wanted(NodeEffect.Gossip.class).getLast().records().getFirst();
    }

    @Test
    void recordsOfNodesOutsideTheClusterAreIgnored() {
        hear(record(new NodeId("stranger"), 1, 1, Duration.ZERO, Health.UP));
        run(Duration.ofSeconds(1));
        assertEquals(List.of(), n1.state().observations(now));
        assertEquals(1, n1.wanted(NodeEffect.Gossip.class).getLast().records().size());
    }

    @Test
    void aRecordVotesForItsOwnerOnly() {
        var borrowed = new Observation(Site.N3, Site.BE1, Health.DOWN, Suspicion.NONE, Duration.ZERO, "probe");
        hear(new NodeRecord(Site.N2, 1, 1, Duration.ZERO, List.of(borrowed), n1.report()));
        assertEquals(Site.N2, n1.state().observations(now).getFirst().observer());
    }

    @Test
    void aQuietNodePublishesEveryHalfSecondWithGrowingSequence() {
        run(Duration.ofSeconds(2));
        n1.forget();
        run(Duration.ofSeconds(10));
        List<Long> sequences = n1.wanted(NodeEffect.Gossip.class).stream()
                .map(gossip -> gossip.records().getFirst().sequence())
                .toList();
        assertEquals(20, sequences.size(), 1, "every 500 ms");
        for (int i = 1; i < sequences.size(); i++) {
            assertEquals(sequences.get(i - 1) + 1, sequences.get(i));
        }
    }

    @Test
    void aChangeIsPublishedInTheSameStep() {
        Site.configure(log);
        log.elect(Site.N2);
        run(Duration.ofSeconds(5));
        n1.answering.remove(Site.BE1);
        n1.forget();
        while (n1.said("to=DOWN").isEmpty()) {
            n1.forget();
            run(TICK);
        }
        List<NodeEffect.Gossip> published = n1.wanted(NodeEffect.Gossip.class);
        assertFalse(published.isEmpty());
        assertTrue(published.getLast().records().getFirst().observations().stream()
                .anyMatch(seen -> seen.memberId() == Site.BE1 && seen.health() == Health.DOWN));
    }
}
