package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.PoolGeneration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeadingTest {
    private static final Duration TICK = Duration.ofMillis(20);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver leader = cluster.node(Site.N1);

    private int proposals(NodeId id) {
        return cluster.node(id).wanted(NodeEffect.Propose.class).size();
    }

    private PoolGeneration current() {
        return cluster.log.state().generation(Site.WEB).orElseThrow();
    }

    @Test
    void fourMembersUpGiveTheKnownTableAndThenNothingMoreIsProposed() {
        assertEquals(Site.FOUR_UP, current().expected().toString());
        cluster.run(Duration.ofSeconds(10));
        assertEquals(List.of(), leader.wanted(NodeEffect.Propose.class));
    }

    @Test
    void aMemberThatEverybodySeesDownLeavesWithOneGeneration() {
        long before = cluster.generation();
        cluster.answers(Site.BE1, false);
        Duration took =
                cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(4));
        assertTrue(took.compareTo(Duration.ofMillis(3600)) <= 0, "fall x interval + change: " + took);
        cluster.run(Duration.ofSeconds(5));
        assertEquals(before + 1, cluster.generation());
        assertEquals(1, proposals(Site.N1));
        assertEquals(0, proposals(Site.N2) + proposals(Site.N3), "followers propose nothing");
        assertEquals(1, leader.said("moved=264 collateral=8").size());
        cluster.answers(Site.BE1, true);
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(3));
        assertEquals(before + 2, cluster.generation());
    }

    @Test
    void oneObserverOfThreeChangesNothingTwoDo() {
        long before = cluster.generation();
        leader.answering.remove(Site.BE1);
        cluster.run(Duration.ofSeconds(10));
        assertEquals(before, cluster.generation());
        cluster.node(Site.N3).answering.remove(Site.BE1);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(6));
        assertTrue(
                current().reason().contains("be1 down (seen by 2 nodes)"),
                current().reason());
    }

    @Test
    void undecidedKeepsWhatWasCommitted() {
        long before = cluster.generation();
        leader.muted.add(NodeEffect.HandOver.class);
        cluster.cut.addAll(List.of("n1-n2", "n1-n3"));
        cluster.answers(Site.BE1, false);
        cluster.run(Duration.ofSeconds(15));
        assertEquals(before, cluster.generation(), "the leader alone is no majority, and the others' records are old");
        cluster.cut.clear();
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(3));
    }

    @Test
    void oneCutLinkIsRelayedAround() {
        cluster.cut.add("n1-n2");
        cluster.run(Duration.ofSeconds(10));
        Duration age = leader.report().peers().getOrDefault(Site.N2, Duration.ofDays(1));
        assertTrue(age.compareTo(Duration.ofMillis(1100)) <= 0, "over n3: " + age);
        assertTrue(ClusterViews.of(leader.state(), cluster.now()).converged());
    }

    @Test
    void whileAProposalIsPendingThereIsNoOther() {
        leader.muted.add(NodeEffect.Propose.class);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.run(Duration.ofMillis(4900));
        assertEquals(1, proposals(Site.N1));
        cluster.run(Duration.ofMillis(200));
        assertEquals(2, proposals(Site.N1), "a proposal without an answer is given up after 5 s");
    }

    @Test
    void aCommittedProposalStaysPendingUntilTheLogBringsIt() {
        leader.muted.add(NodeEffect.Propose.class);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.run(TICK);
        leader.deliver(new NodeEvent.ProposalFinished(
                proposed(),
                new ProposeOutcome.Committed(
                        new Outcome.Done(Site.WEB, cluster.log.state().revision()))));
        cluster.run(Duration.ofSeconds(1));
        assertEquals(1, proposals(Site.N1));
        leader.muted.clear();
        cluster.log.operator(leader.wanted(NodeEffect.Propose.class).getFirst().command());
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1), Duration.ofSeconds(1));
        cluster.admin("be1", AdminState.ENABLED);
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N1), Duration.ofSeconds(1));
        assertEquals(2, proposals(Site.N1));
    }

    @Test
    void aStaleProposalIsPlannedAnewAtOnce() {
        leader.muted.add(NodeEffect.Propose.class);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.run(TICK);
        cluster.admin("be2", AdminState.DRAINED);
        leader.deliver(finished(Outcome.Cause.STALE));
        cluster.run(TICK);
        List<NodeEffect.Propose> wanted = leader.wanted(NodeEffect.Propose.class);
        assertEquals(2, wanted.size());
        assertEquals(cluster.log.state().revision(), proposed().revision());
        assertTrue(proposed().reason().contains("be1 drained, be2 drained"));
    }

    @Test
    void refusalsAndLostLeadershipAreNotAnsweredWithAStormOfProposals() {
        leader.muted.add(NodeEffect.Propose.class);
        cluster.admin("be1", AdminState.DRAINED);
        for (int i = 0; i < 50; i++) {
            cluster.tick(TICK);
            leader.deliver(new NodeEvent.ProposalFinished(proposed(), new ProposeOutcome.NotLeader(Optional.empty())));
        }
        assertTrue(proposals(Site.N1) <= 6, "in one second: " + proposals(Site.N1));
        leader.forget();
        cluster.run(Duration.ofSeconds(6));
        NodeEvent refused = finished(Outcome.Cause.INVALID);
        leader.forget();
        leader.deliver(refused);
        cluster.run(Duration.ofSeconds(1));
        assertEquals(0, proposals(Site.N1));
        assertEquals(1, leader.said("generation refused").size());
    }

    /** Returns the leader's last proposal. */
    private Command.CommitGeneration proposed() {
        return (Command.CommitGeneration)
                leader.wanted(NodeEffect.Propose.class).getLast().command();
    }

    private NodeEvent finished(Outcome.Cause cause) {
        return new NodeEvent.ProposalFinished(
                proposed(),
                new ProposeOutcome.Committed(new Outcome.Refused(cause, "generation.number", "not the next one")));
    }

    @Test
    void anotherLeaderGoesOnWhereTheFirstOneStopped() {
        cluster.node(Site.N1).frozen = true;
        cluster.log.cutOff.add(Site.N1);
        cluster.log.elect(Site.N2);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N2, Site.N3), Duration.ofSeconds(1));
        assertEquals(1, proposals(Site.N2));
        assertEquals(0, proposals(Site.N3));
        leader.frozen = false;
        cluster.log.reconnect(Site.N1);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1), Duration.ofSeconds(2));
    }

    @Test
    void nothingIsProposedBeforeTheBarrier() {
        cluster.restartControllers(Site.N1);
        NodeDriver fresh = cluster.node(Site.N1);
        fresh.muted.add(NodeEffect.ReadBarrier.class);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.run(Duration.ofSeconds(4));
        assertEquals(0, proposals(Site.N1));
        fresh.muted.clear();
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(3));
    }

    @Test
    void aRestartOfAllNodesKeepsTheGenerationWithoutObservations() {
        cluster.answers(Site.BE1, false);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(4));
        long before = cluster.generation();
        cluster.restartControllers(Site.N1, Site.N2, Site.N3);
        cluster.nodes().forEach(node -> node.muted.add(NodeEffect.Probe.class));
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2, Site.N3), Duration.ofSeconds(1));
        cluster.run(Duration.ofSeconds(10));
        assertEquals(before, cluster.generation());
        cluster.nodes().forEach(node -> {
            assertEquals(List.of(), node.wanted(NodeEffect.Propose.class), "nobody proposes");
            assertEquals(List.of(), node.wanted(NodeEffect.ChangeSwitch.class), "the switch's flows are adopted");
        });
    }

    @Test
    void withoutALeaderNothingChangesAndTheNodeSaysSo() {
        long before = cluster.generation();
        cluster.log.loseLeader();
        cluster.answers(Site.BE1, false);
        cluster.run(Duration.ofSeconds(10));
        assertEquals(before, cluster.generation());
        assertTrue(leader.report().problems().getFirst().startsWith("no leader"), leader.report()::toString);
        assertTrue(leader.report().announced(), "forwarding goes on with the last generation");
    }

    @Test
    void weightsAndNewMembersAreCommitted() {
        cluster.log.operator(new Command.SetMemberWeight("web", "be1", 3));
        cluster.until(() -> cluster.proven("10da32ec0424f2ae", Site.N1, Site.N2, Site.N3), Duration.ofSeconds(1));
        assertEquals("be1 weight 1 -> 3", current().reason());
    }
}
