package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.Leadership;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HearingTest {
    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n1 = cluster.node(Site.N1);

    private int given() {
        return n1.wanted(NodeEffect.HandOver.class).size();
    }

    @Test
    void aDeafLeaderGivesItsOfficeToOneThatObserves() {
        cluster.cut.addAll(List.of("n1-n2", "n1-n3"));
        cluster.run(Duration.ofSeconds(10));
        assertEquals(0, given(), "three times the freshness limit of 3 s, after the records have become old");
        cluster.until(() -> given() == 1, Duration.ofSeconds(4));
        NodeEffect.HandOver effect = n1.wanted(NodeEffect.HandOver.class).getFirst();
        assertEquals(Optional.of(Site.N2), effect.to());
        assertEquals("hears 1 of 3 voters, a majority is 2", effect.reason());
        cluster.answers(Site.BE1, false);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(4));
        assertTrue(cluster.node(Site.N2).state().leadership() instanceof Leadership.Leading);
        cluster.run(Duration.ofSeconds(30));
        assertEquals(1, given());
    }

    @Test
    void oneVoterThatIsHeardIsEnoughOfThree() {
        cluster.cut.addAll(List.of("n1-n2", "n2-n3"));
        cluster.run(Duration.ofSeconds(30));
        assertEquals(0, given());
    }

    @Test
    void recordsWithoutFreshObservationsAreNotHeard() {
        cluster.node(Site.N2).muted.add(NodeEffect.Probe.class);
        cluster.node(Site.N3).muted.add(NodeEffect.Probe.class);
        cluster.until(() -> given() == 1, Duration.ofSeconds(16));
    }

    @Test
    void whatFailsIsNotTriedAgainBeforeTenSeconds() {
        n1.muted.add(NodeEffect.HandOver.class);
        cluster.cut.addAll(List.of("n1-n2", "n1-n3"));
        cluster.run(Duration.ofSeconds(60));
        assertTrue(given() >= 3 && given() <= 5, "in one minute: " + given());
    }

    @Test
    void aClusterThatHasNothingToObserveIsNotDeaf() {
        SimCluster empty = SimCluster.started();
        empty.log.elect(Site.N1);
        empty.run(Duration.ofSeconds(30));
        assertEquals(List.of(), empty.node(Site.N1).wanted(NodeEffect.HandOver.class));
    }
}
