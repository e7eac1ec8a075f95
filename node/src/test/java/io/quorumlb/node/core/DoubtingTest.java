package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DoubtingTest {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration FLIP = Duration.ofMillis(100);
    private static final int FALL = 3;

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n2 = cluster.node(Site.N2);
    private final NodeDriver n3 = cluster.node(Site.N3);

    private Observation own(NodeDriver node) {
        return node.state().ownObservations(cluster.now()).getFirst();
    }

    @Test
    void theFirstFailureIsSaidAtOnceAndDoesNotChangeTheHealth() {
        n2.answering.remove(Site.BE1);
        cluster.until(() -> own(n2).suspicion() == Suspicion.SUSPECT, Duration.ofSeconds(2));
        assertEquals(Health.UP, own(n2).health());
        assertEquals(
                1,
                n2.said("member=be1 address=10.20.0.2:8080 from=UP to=SUSPECT").size());
        Entry published = n2.wanted(NodeEffect.Gossip.class)
                .getLast()
                .message()
                .deltas()
                .getFirst()
                .entries()
                .getLast();
        assertEquals(EntryKey.member(Site.BE1), published.key());
        assertEquals(
                Suspicion.SUSPECT,
                assertInstanceOf(Content.OfMember.class, published.content())
                        .seen()
                        .suspicion());
        n2.answering.add(Site.BE1);
        cluster.until(() -> own(n2).suspicion() == Suspicion.NONE, Duration.ofMillis(500));
        assertEquals(Health.UP, own(n2).health());
    }

    @Test
    void whoHearsANewDoubtLooksAtOnceAndThenFast() {
        n3.muted.add(NodeEffect.Gossip.class);
        cluster.run(Duration.ofMillis(600));
        n2.forget();
        doubt(Suspicion.SUSPECT);
        cluster.run(Duration.ofMillis(700));
        List<MonotonicTime> starts = n2.probesOf(Site.BE1);
        assertTrue(starts.size() >= FALL && starts.size() <= FALL + 1, starts::toString);
        assertTrue(starts.get(FALL - 1).since(starts.getFirst()).toMillis() <= 420, starts::toString);
        n2.forget();
        doubt(Suspicion.SUSPECT);
        cluster.run(Duration.ofSeconds(3));
        assertTrue(n2.probesOf(Site.BE1).size() <= 4, "the same doubt buys nothing more");
    }

    @Test
    void aLyingObserverCannotMultiplyProbes() {
        n3.muted.add(NodeEffect.Gossip.class);
        cluster.run(Duration.ofSeconds(1));
        n2.forget();
        int seconds = 600;
        for (int i = 1; i <= seconds * 10; i++) {
            doubt(i % 2 == 0 ? Suspicion.NONE : Suspicion.SUSPECT);
            cluster.tick(FLIP);
        }
        int probes = n2.probesOf(Site.BE1).size();
        assertTrue(probes <= 2 * seconds + FALL + 1, "in ten minutes: " + probes);
        assertTrue(probes > seconds, "some of the doubts were looked into: " + probes);
        assertTrue(n2.probesOf(2).size() <= seconds + 1, "and nothing else is looked at more often");
    }

    @Test
    void aFlappingMemberCannotMultiplyProbes() {
        int seconds = 600;
        for (int i = 0; i < seconds * 10; i++) {
            cluster.answers(Site.BE1, i % 3 != 0);
            cluster.tick(FLIP);
        }
        for (NodeDriver node : cluster.nodes()) {
            int probes = node.probesOf(Site.BE1).size();
            assertTrue(probes <= 2 * seconds + FALL + 1, node.self + " in ten minutes: " + probes);
            assertTrue(node.said("to=SUSPECT").size() <= seconds / 2, "not said each time");
        }
    }

    @Test
    void inEveryIntervalAtMostFallAndOneProbesAreExtra() {
        for (int i = 0; i < 6000; i++) {
            cluster.answers(Site.BE1, i % 7 != 0);
            cluster.tick(TICK);
        }
        List<MonotonicTime> starts = n2.probesOf(Site.BE1);
        int most = FALL + 1 + 1 + 1;
        for (int i = most; i < starts.size(); i++) {
            Duration span = starts.get(i).since(starts.get(i - most));
            assertTrue(span.compareTo(Duration.ofMillis(980)) >= 0, "%d probes within %s".formatted(most + 1, span));
        }
    }

    @Test
    void resultsCountInTheOrderOfTheirStart() {
        n2.latency.put(Site.BE1, Duration.ofMillis(450));
        cluster.run(Duration.ofSeconds(3));
        // Two failures that come at once, and between their starts a success that takes its time: never three in a row.
        for (int i = 0; i < 200; i++) {
            if (i % 3 == 1) {
                n2.latency.put(Site.BE1, Duration.ofMillis(450));
                n2.answering.add(Site.BE1);
            } else {
                n2.latency.remove(Site.BE1);
                n2.answering.remove(Site.BE1);
            }
            int before = n2.probesOf(Site.BE1).size();
            cluster.until(() -> n2.probesOf(Site.BE1).size() > before, Duration.ofSeconds(3));
            assertEquals(Health.UP, own(n2).health(), "two failures and a success in turn, probe " + i);
        }
    }

    @Test
    void manyMembersThatFailAtOnceDoNotMultiplyProbesWithoutBound() {
        var rechecks = new Rechecks(new Allowance(cluster.now()), 0);
        int made = 0;
        for (int second = 0; second < 10; second++) {
            for (int i = 0; i < 10_000; i++) {
                MonotonicTime now = cluster.now().plus(Duration.ofMillis(second * 1000L));
                if (rechecks.permits(now)) {
                    rechecks = rechecks.made(now);
                    made++;
                } else {
                    rechecks = rechecks.refused();
                }
            }
        }
        assertTrue(made <= 200 * 11, "in ten seconds: " + made);
        assertEquals(100_000 - made, rechecks.refusals());
    }

    /** Makes n2 hear a later record of n3 that says this of be1. */
    private void doubt(Suspicion suspicion) {
        HeldRecord held =
                Optional.ofNullable(n2.state().gossip().held().get(Site.N3)).orElseThrow();
        Document known = held.content();
        Beat last = held.latest().orElseThrow().beat();
        long version = known.version() + 1;
        var forged = new Observation(Site.N3, Site.BE1, Health.UP, suspicion, Duration.ZERO, "forged");
        var entry =
                Entry.own(EntryKey.member(Site.BE1), version, new Content.OfMember(forged, Site.MONITOR.interval()));
        var beat = new Beat(
                Site.N3,
                known.incarnation(),
                last.sequence() + 1,
                version,
                Duration.ZERO,
                last.bounds(),
                last.peers(),
                last.readBackAge(),
                OpaqueBytes.NONE);
        var delta = new Delta(Site.N3, known.incarnation(), known.version(), version, version, List.of(entry));
        n2.deliver(new NodeEvent.GossipReceived(
                Site.N3, new GossipMessage(List.of(beat), List.of(delta), List.of(), List.of())));
    }
}
