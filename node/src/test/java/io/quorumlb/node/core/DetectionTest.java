package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.PoolGuards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From the failure of a member to a generation without it on all switches; interval 1 s, timeout 500 ms, fall 3. */
class DetectionTest {
    private static final int TRIALS = 25;

    /** A member that fails so often would be held down. */
    private static final PoolGuards WITHOUT_DAMPING = new PoolGuards(
            PoolGuards.DEFAULT.massFailure(),
            PoolGuards.DEFAULT.movedMax(),
            PoolGuards.DEFAULT.panic(),
            new PoolGuards.Flapping(0, 0, Duration.ofMinutes(1)),
            PoolGuards.DEFAULT.generationInterval(),
            PoolGuards.DEFAULT.settleMax());

    private interface Failure {
        void set(SimCluster cluster, boolean failed);
    }

    @Test
    void aKilledMemberIsGoneWithinSevenTenthsOfASecond() {
        List<Duration> times = times((cluster, failed) -> cluster.answers(Site.BE1, !failed));
        assertTrue(median(times).compareTo(Duration.ofMillis(700)) <= 0, () -> "killed: " + shown(times));
        assertTrue(times.getLast().compareTo(Duration.ofMillis(1200)) <= 0, () -> "killed: " + shown(times));
    }

    @Test
    void aFrozenMemberIsGoneWithinTwoSecondsAndAFifth() {
        List<Duration> times = times((cluster, failed) -> cluster.silent(Site.BE1, failed));
        assertTrue(median(times).compareTo(Duration.ofMillis(2200)) <= 0, () -> "frozen: " + shown(times));
        assertTrue(times.getLast().compareTo(Duration.ofMillis(2600)) <= 0, () -> "frozen: " + shown(times));
    }

    @Test
    void aMemberThatOneObserverLosesIsLookedAtByAllAndStays() {
        SimCluster cluster = SimCluster.converged();
        long before = cluster.generation();
        cluster.node(Site.N2).answering.remove(Site.BE1);
        cluster.run(Duration.ofMillis(2500));
        for (NodeDriver node : cluster.nodes()) {
            int probes = node.probesOf(Site.BE1).size();
            assertTrue(probes >= 3 && probes <= 7, node.self + " looked again, and not for long: " + probes);
        }
        assertEquals(before, cluster.generation());
    }

    @Test
    void aMomentOfTroubleThatAllSeeIsNotThreeFailures() {
        SimCluster cluster = SimCluster.converged();
        long before = cluster.generation();
        for (int i = 0; i < TRIALS; i++) {
            cluster.run(Duration.ofSeconds(3).plus(Duration.ofMillis(20L * 37 * i % 1000)));
            cluster.answers(Site.BE1, false);
            cluster.run(Duration.ofMillis(160));
            cluster.answers(Site.BE1, true);
        }
        cluster.run(Duration.ofSeconds(2));
        assertEquals(before, cluster.generation());
    }

    private static List<Duration> times(Failure failure) {
        List<Duration> times = new ArrayList<>();
        SimCluster cluster = SimCluster.converged();
        cluster.log.operator(new Command.SetPoolGuards("web", WITHOUT_DAMPING));
        for (int i = 0; i < TRIALS; i++) {
            // Each trial meets the three observers at another moment of their second.
            cluster.run(Duration.ofSeconds(5).plus(Duration.ofMillis(20L * 37 * i % 1000)));
            failure.set(cluster, true);
            times.add(cluster.until(
                    () -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(5)));
            failure.set(cluster, false);
            cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(5));
        }
        Collections.sort(times);
        return times;
    }

    private static Duration median(List<Duration> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    private static String shown(List<Duration> sorted) {
        return "median %s of %s..%s".formatted(median(sorted), sorted.getFirst(), sorted.getLast());
    }
}
