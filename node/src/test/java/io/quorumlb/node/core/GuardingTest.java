package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.plan.Hold;
import io.quorumlb.consensus.plan.PoolView;
import io.quorumlb.consensus.pool.Evidence;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.TableMember;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The guards with time, gossip and leaders that change. */
class GuardingTest {
    private static final List<Integer> ALL = List.of(1, 2, 3, 4);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver leader = cluster.node(Site.N1);

    private PoolGeneration current() {
        return cluster.log.state().generation(Site.WEB).orElseThrow();
    }

    private List<Integer> eligible() {
        return current().eligible().stream().map(TableMember::id).toList();
    }

    private List<String> holds(NodeId node) {
        return cluster.node(node).web().holds().stream().map(Hold::code).toList();
    }

    private void blind(NodeId node) {
        cluster.node(node).answering.clear();
    }

    private void sees(NodeId node) {
        cluster.node(node).answering.addAll(ALL);
    }

    private void guards(PoolGuards guards) {
        cluster.log.operator(new Command.SetPoolGuards("web", guards));
    }

    private void elect(NodeId node) {
        cluster.log.elect(node);
    }

    @Test
    void oneBlindObserverChangesNothing() {
        long before = cluster.generation();
        blind(Site.N2);
        cluster.run(Duration.ofSeconds(20));
        assertEquals(before, cluster.generation());
        assertEquals(List.of(), holds(Site.N1), "no majority sees anything down");
    }

    @Test
    void twoBlindObserversOfThreeChangeNothingAndTheLeaderSaysWhatItHolds() {
        long before = cluster.generation();
        blind(Site.N1);
        blind(Site.N2);
        cluster.run(Duration.ofMinutes(1));
        assertEquals(before, cluster.generation());
        assertEquals(List.of("mass-failure-held"), holds(Site.N1));
        assertEquals(List.of(), holds(Site.N3), "who does not lead holds nothing");
        assertEquals(
                1,
                leader.wanted(NodeEffect.Say.class).stream()
                        .filter(say -> say.code().equals("mass-failure-held"))
                        .count(),
                "said once");
        sees(Site.N1);
        sees(Site.N2);
        cluster.run(Duration.ofSeconds(5));
        assertEquals(before, cluster.generation());
        assertEquals(List.of(), holds(Site.N1));
        assertEquals(1, leader.said("mass-failure-held has ended").size());
    }

    @Test
    void theSecondBlindObserverMayComeLaterAndTheLeaderMayBeNew() {
        long before = cluster.generation();
        blind(Site.N3);
        cluster.run(Duration.ofSeconds(10));
        blind(Site.N2);
        cluster.run(Duration.ofSeconds(3));
        elect(Site.N2);
        cluster.run(Duration.ofSeconds(20));
        assertEquals(before, cluster.generation());
        assertEquals(List.of("mass-failure-held"), holds(Site.N2));
    }

    @Test
    void whatEverybodySeesDeadGoesAtFullSpeedEvenIfItIsAll() {
        ALL.forEach(member -> cluster.answers(member, false));
        Duration took = cluster.until(() -> eligible().isEmpty(), Duration.ofSeconds(5));
        assertTrue(took.compareTo(Duration.ofMillis(3800)) <= 0, "fall x interval + one generation interval: " + took);
        ALL.forEach(member -> cluster.answers(member, true));
        cluster.until(() -> eligible().equals(ALL), Duration.ofSeconds(4));
    }

    @Test
    void anOperatorOverridesAMassFailure() {
        blind(Site.N1);
        blind(Site.N2);
        cluster.run(Duration.ofSeconds(10));
        cluster.log.operator(new Command.OverrideGuards(
                "web", new GuardOverride(new TreeSet<>(List.of(Guard.MASS_FAILURE)), cluster.generation())));
        cluster.until(() -> eligible().isEmpty(), Duration.ofSeconds(1));
        assertEquals(GenerationCause.OVERRIDE, current().cause());
        assertEquals(List.of(), holds(Site.N1));
    }

    @Test
    void aMemberThatTwoOfThreeSeeDeadGoesAfterAMoment() {
        cluster.node(Site.N1).answering.remove(Site.BE1);
        cluster.node(Site.N3).answering.remove(Site.BE1);
        Duration took = cluster.until(() -> eligible().equals(List.of(2, 3, 4)), Duration.ofSeconds(6));
        assertTrue(
                took.compareTo(Duration.ofMillis(3000 + 1500 + 700)) <= 0,
                "fall x interval, and interval + timeout for others to follow: " + took);
    }

    @Test
    void theGenerationSaysWhoHadSeenWhatSinceWhen() {
        cluster.answers(Site.BE1, false);
        cluster.until(() -> eligible().equals(List.of(2, 3, 4)), Duration.ofSeconds(5));
        List<Evidence> evidence = current().evidence();
        assertTrue(evidence.size() >= 2, evidence::toString);
        evidence.forEach(piece -> {
            assertEquals(Site.BE1, piece.memberId());
            assertEquals("probe", piece.detail());
            assertTrue(
                    piece.health() == Health.UP || piece.since().compareTo(Duration.ofMillis(1200)) <= 0,
                    piece::toString);
        });
        assertTrue(
                evidence.stream().filter(piece -> piece.health() == Health.DOWN).count() >= 2);
        assertEquals(GenerationCause.HEALTH, current().cause());
    }

    @Test
    void aNewLeaderThatHasHeardAllAlongActsAtOnce() {
        cluster.answers(Site.BE1, false);
        cluster.run(Duration.ofMillis(1500));
        elect(Site.N2);
        Duration took = cluster.until(() -> eligible().equals(List.of(2, 3, 4)), Duration.ofSeconds(4));
        assertTrue(took.compareTo(Duration.ofMillis(2200)) <= 0, "no settle time on top: " + took);
    }

    @Test
    void aNewLeaderThatHasHeardNothingSettlesButDrainsAtOnce() {
        cluster.restartControllers(Site.N1, Site.N2, Site.N3);
        cluster.answers(Site.BE1, false);
        cluster.until(() -> cluster.node(Site.N1).state().log().caughtUp(), Duration.ofSeconds(1));
        assertEquals(PoolView.Moment.SETTLING, moment(Site.N1));
        cluster.admin("be2", AdminState.DRAINED);
        cluster.until(() -> eligible().equals(List.of(1, 3, 4)), Duration.ofMillis(200));
        assertEquals(PoolView.Moment.SETTLING, moment(Site.N1));
        cluster.until(() -> eligible().equals(List.of(3, 4)), Duration.ofSeconds(6));
    }

    @Test
    void settlingEndsAfterThreeSecondsWhateverIsHeard() {
        cluster.restartControllers(Site.N1);
        cluster.node(Site.N1).muted.add(NodeEffect.Probe.class);
        cluster.cut.addAll(List.of("n1-n2", "n1-n3"));
        cluster.run(Duration.ofMillis(2800));
        assertEquals(PoolView.Moment.SETTLING, moment(Site.N1));
        cluster.run(Duration.ofMillis(400));
        assertEquals(PoolView.Moment.FREE, moment(Site.N1));
    }

    private PoolView.Moment moment(NodeId id) {
        NodeState state = cluster.node(id).state();
        Pool web = cluster.log.state().model().pool("web").orElseThrow();
        return Remembering.view(state, web, new Observations(state, cluster.now()), cluster.now())
                .moment();
    }

    /** Answers one probe of three on every node, for ten minutes. */
    @Test
    void aMemberThatAnswersOneProbeOfThreeDoesNotOscillate() {
        long before = cluster.generation();
        for (int second = 0; second < 600; second++) {
            cluster.answers(Site.BE1, second % 3 == 0);
            cluster.run(Duration.ofSeconds(1));
        }
        assertTrue(cluster.generation() - before <= 2, "fall 3, rise 2: at most one down: " + cluster.generation());
    }

    @Test
    void aMemberThatComesAndGoesIsHeldDownAndComesBackOnceItIsQuiet() {
        long before = cluster.generation();
        for (int round = 0; round < 40; round++) {
            cluster.answers(Site.BE1, false);
            cluster.run(Duration.ofSeconds(5));
            cluster.answers(Site.BE1, true);
            cluster.run(Duration.ofSeconds(5));
        }
        assertTrue(cluster.generation() - before <= 8, "400 s, 80 changes of health: " + cluster.generation());
        assertFalse(eligible().contains(Site.BE1));
        assertEquals(List.of("held-down-flapping"), holds(Site.N1));
        var be1 = cluster.log.state().model().member(Site.WEB, "be1").orElseThrow();
        cluster.nodes()
                .forEach(node -> assertTrue(
                        node.state().penalty(be1, cluster.now()).heldDown(), "every node knows, so that any may lead"));
        elect(Site.N3);
        cluster.run(Duration.ofMinutes(1));
        assertFalse(eligible().contains(Site.BE1), "a new leader does not forget");
        Duration took = cluster.until(() -> eligible().equals(ALL), Duration.ofSeconds(130));
        assertTrue(took.compareTo(Duration.ofSeconds(30)) > 0, took::toString);
    }

    @Test
    void anOperatorForgivesAFlappingMember() {
        for (int round = 0; round < 4; round++) {
            cluster.answers(Site.BE1, false);
            cluster.run(Duration.ofSeconds(5));
            cluster.answers(Site.BE1, true);
            cluster.run(Duration.ofSeconds(5));
        }
        assertEquals(List.of("held-down-flapping"), holds(Site.N1));
        cluster.log.operator(new Command.OverrideGuards(
                "web", new GuardOverride(new TreeSet<>(List.of(Guard.FLAPPING)), cluster.generation())));
        cluster.until(() -> eligible().equals(ALL), Duration.ofSeconds(1));
        cluster.run(Duration.ofSeconds(30));
        assertEquals(ALL, eligible(), "and it is not held down again");
    }

    @Test
    void aDrainedMemberMayBeRestartedAsOftenAsOneLikes() {
        cluster.admin("be1", AdminState.DRAINED);
        for (int round = 0; round < 10; round++) {
            cluster.answers(Site.BE1, false);
            cluster.run(Duration.ofSeconds(5));
            cluster.answers(Site.BE1, true);
            cluster.run(Duration.ofSeconds(5));
        }
        cluster.admin("be1", AdminState.ENABLED);
        cluster.until(() -> eligible().equals(ALL), Duration.ofSeconds(1));
    }

    /** Each observer's probes end at other moments, so members flip many times a second all in all. */
    @Test
    void manyFlipsMakeFewGenerationsAndNoBacklog() {
        PoolGuards usual = PoolGuards.DEFAULT;
        guards(new PoolGuards(
                100,
                100,
                0,
                new PoolGuards.Flapping(0, 0, Duration.ofMinutes(1)),
                Duration.ofSeconds(1),
                usual.settleMax()));
        cluster.run(Duration.ofSeconds(2));
        long before = cluster.generation();
        for (int second = 0; second < 60; second++) {
            cluster.answers(1 + second % 4, second % 8 >= 4);
            cluster.run(Duration.ofSeconds(1));
        }
        assertTrue(cluster.generation() - before <= 60, "one a second at most: " + (cluster.generation() - before));
        ALL.forEach(member -> cluster.answers(member, true));
        cluster.until(() -> eligible().equals(ALL), Duration.ofSeconds(5));
        long after = cluster.generation();
        cluster.run(Duration.ofSeconds(10));
        assertEquals(after, cluster.generation(), "nothing is left over");
    }

    @Test
    void theFirstChangeGoesAtOnceAndTheNextAfterTheInterval() {
        guards(new PoolGuards(
                50, 60, 0, PoolGuards.Flapping.DEFAULT, Duration.ofSeconds(30), PoolGuards.DEFAULT.settleMax()));
        cluster.run(Duration.ofSeconds(31));
        cluster.answers(1, false);
        Duration first = cluster.until(() -> eligible().equals(List.of(2, 3, 4)), Duration.ofSeconds(5));
        assertTrue(first.compareTo(Duration.ofMillis(3700)) <= 0, first::toString);
        cluster.answers(2, false);
        cluster.run(Duration.ofSeconds(25));
        assertEquals(List.of(2, 3, 4), eligible());
        cluster.admin("be3", AdminState.DRAINED);
        cluster.until(() -> eligible().equals(List.of(4)), Duration.ofMillis(200));
    }

    @Test
    void disruptionIsHeldShownAndOverridden() {
        List.of("be1", "be2", "be3").forEach(member -> cluster.admin(member, AdminState.DRAINED));
        cluster.run(Duration.ofSeconds(1));
        assertEquals(ALL, eligible());
        assertEquals(List.of("disruption-held"), holds(Site.N1));
        assertFalse(Proofs.settled(leader.state(), Site.WEB, cluster.log.state().revision(), cluster.now()));
        cluster.log.operator(new Command.OverrideGuards(
                "web", new GuardOverride(new TreeSet<>(List.of(Guard.DISRUPTION)), cluster.generation())));
        cluster.until(() -> eligible().equals(List.of(4)), Duration.ofSeconds(1));
    }

    @Test
    void aHoldOfHealthDoesNotKeepAWriteFromBeingSettled() {
        blind(Site.N1);
        blind(Site.N2);
        cluster.run(Duration.ofSeconds(10));
        assertTrue(Proofs.settled(leader.state(), Site.WEB, cluster.log.state().revision(), cluster.now()));
    }

    @Test
    void panicEndsByItself() {
        PoolGuards usual = PoolGuards.DEFAULT;
        guards(new PoolGuards(50, 60, 50, usual.flapping(), usual.generationInterval(), usual.settleMax()));
        List.of(1, 2, 3).forEach(member -> cluster.answers(member, false));
        cluster.until(() -> current().cause() == GenerationCause.PANIC, Duration.ofSeconds(6));
        assertEquals(ALL, eligible());
        cluster.run(Duration.ofSeconds(1));
        assertEquals(List.of("panic"), holds(Site.N1));
        cluster.run(Duration.ofSeconds(10));
        cluster.nodes()
                .forEach(node -> assertEquals("", node.report().wantsOut(), "panic is no reason to leave service"));
        List.of(1, 2).forEach(member -> cluster.answers(member, true));
        cluster.until(() -> eligible().equals(List.of(1, 2, 4)), Duration.ofSeconds(4));
        assertEquals(List.of(), holds(Site.N1));
    }
}
