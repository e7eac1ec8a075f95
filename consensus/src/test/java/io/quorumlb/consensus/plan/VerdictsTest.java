package io.quorumlb.consensus.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictsTest {
    private static final Duration NOW = Duration.ZERO;
    private static final HealthMonitor EVERY_SECOND = monitor(Duration.ofSeconds(1));
    private static final Verdict UNDECIDED = new Verdict.Undecided();

    private static HealthMonitor monitor(Duration interval) {
        return new HealthMonitor(new MonitorCheck.Tcp(), interval, Duration.ofMillis(50), 2, 3);
    }

    private static SortedSet<NodeId> nodes(int count) {
        SortedSet<NodeId> nodes = new TreeSet<>();
        for (int i = 1; i <= count; i++) {
            nodes.add(new NodeId("n" + i));
        }
        return nodes;
    }

    private static Observation seen(int node, Health health, Duration age) {
        return new Observation(new NodeId("n" + node), 1, health, Suspicion.NONE, age, "");
    }

    private static Verdict ofThree(Observation... observations) {
        return Verdicts.decide(List.of(observations), nodes(3), EVERY_SECOND);
    }

    @Test
    void twoOfThreeDecide() {
        assertEquals(new Verdict.Up(2), ofThree(seen(1, Health.UP, NOW), seen(3, Health.UP, NOW)));
        assertEquals(new Verdict.Down(2), ofThree(seen(1, Health.DOWN, NOW), seen(2, Health.DOWN, NOW)));
        assertEquals(
                new Verdict.Down(2),
                ofThree(seen(1, Health.DOWN, NOW), seen(2, Health.UP, NOW), seen(3, Health.DOWN, NOW)));
        assertEquals(
                new Verdict.Up(3), ofThree(seen(1, Health.UP, NOW), seen(2, Health.UP, NOW), seen(3, Health.UP, NOW)));
    }

    @Test
    void silenceIsNoVoteAndTheMajorityIsOfAllVoters() {
        assertEquals(UNDECIDED, ofThree());
        assertEquals(UNDECIDED, ofThree(seen(1, Health.UP, NOW)));
        assertEquals(UNDECIDED, ofThree(seen(1, Health.UP, NOW), seen(2, Health.DOWN, NOW)));
        assertEquals(
                UNDECIDED,
                Verdicts.decide(List.of(seen(1, Health.DOWN, NOW), seen(2, Health.DOWN, NOW)), nodes(4), EVERY_SECOND),
                "two of four are no majority");
        assertEquals(
                UNDECIDED,
                Verdicts.decide(List.of(seen(1, Health.DOWN, NOW), seen(2, Health.DOWN, NOW)), nodes(5), EVERY_SECOND),
                "two reachable of five are all that are heard, and still no majority");
    }

    @Test
    void oneNodeAloneIsItsOwnMajority() {
        assertEquals(new Verdict.Up(1), Verdicts.decide(List.of(seen(1, Health.UP, NOW)), nodes(1), EVERY_SECOND));
    }

    @Test
    void anObservationOlderThanThreeIntervalsDoesNotCount() {
        Observation fresh = seen(1, Health.DOWN, NOW);
        assertEquals(new Verdict.Down(2), ofThree(fresh, seen(2, Health.DOWN, Duration.ofSeconds(3))));
        assertEquals(UNDECIDED, ofThree(fresh, seen(2, Health.DOWN, Duration.ofMillis(3001))));
    }

    @Test
    void freshnessIsNeverLessThanOneAndAHalfSeconds() {
        assertEquals(Duration.ofMillis(1500), Verdicts.freshFor(monitor(Duration.ofMillis(100))));
        assertEquals(Duration.ofMillis(1500), Verdicts.freshFor(monitor(Duration.ofMillis(500))));
        assertEquals(Duration.ofSeconds(30), Verdicts.freshFor(monitor(Duration.ofSeconds(10))));
    }

    @Test
    void nodesThatDoNotVoteDoNotCount() {
        assertEquals(
                UNDECIDED, ofThree(seen(1, Health.DOWN, NOW), seen(4, Health.DOWN, NOW), seen(5, Health.DOWN, NOW)));
    }

    @Test
    void anObserverCountsOnceWithWhatItSawLast() {
        Observation old = seen(1, Health.DOWN, Duration.ofSeconds(2));
        Observation young = seen(1, Health.UP, Duration.ofSeconds(1));
        Observation second = seen(2, Health.UP, NOW);
        assertEquals(UNDECIDED, ofThree(old, old, old));
        assertEquals(new Verdict.Up(2), ofThree(old, young, second));
        assertEquals(new Verdict.Up(2), ofThree(young, old, second));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theOrderOfObservationsDoesNotMatter(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<Observation> observations = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Health health = random.nextBoolean() ? Health.UP : Health.DOWN;
                observations.add(seen(1 + random.nextInt(6), health, Duration.ofMillis(500L * random.nextInt(8))));
            }
            Verdict first = Verdicts.decide(observations, nodes(5), EVERY_SECOND);
            Collections.shuffle(observations, random);
            assertEquals(first, Verdicts.decide(observations, nodes(5), EVERY_SECOND), observations::toString);
        }
    }
}
