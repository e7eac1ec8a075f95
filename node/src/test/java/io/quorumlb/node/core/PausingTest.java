package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.AdminState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PausingTest {
    private static final Duration TICK = Duration.ofMillis(20);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n1 = cluster.node(Site.N1);
    private final NodeDriver n3 = cluster.node(Site.N3);

    private void freeze(NodeDriver node, Duration time) {
        node.frozen = true;
        cluster.run(time);
        node.frozen = false;
        node.forget();
    }

    @Test
    void afterAPauseTheNodeConfirmsItsRoutesOnlyOnceItHasCaughtUp() {
        n3.muted.add(NodeEffect.ReadBarrier.class);
        freeze(n3, Duration.ofSeconds(2));
        cluster.run(Duration.ofSeconds(3));
        assertEquals(List.of(), n3.wanted(NodeEffect.Announce.class), "the supervisor will take the routes away");
        assertEquals(InstallState.LAGGING, n3.web().state());
        assertEquals(1, n3.said("node stood still for").size());
        n3.muted.clear();
        cluster.until(() -> n3.wanted(NodeEffect.Announce.class).size() == 1, Duration.ofSeconds(4));
        assertEquals(InstallState.CONVERGED, n3.web().state());
    }

    @Test
    void whatWasProvenBeforeThePauseIsReadAndProvenAnew() {
        n3.frozen = true;
        cluster.run(Duration.ofMillis(1200));
        n3.ovs.flows.clear();
        n3.frozen = false;
        n3.forget();
        n3.muted.add(NodeEffect.ReadSwitch.class);
        cluster.run(Duration.ofSeconds(2));
        assertTrue(n3.state().log().caughtUp());
        assertEquals(InstallState.INSTALLING, n3.web().state(), "an old proof is none");
        assertEquals(List.of(), n3.wanted(NodeEffect.Announce.class));
        assertEquals(List.of(), n3.wanted(NodeEffect.Withdraw.class));
        n3.muted.clear();
        n3.deliver(n3.ovs.readBack(0));
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N3), Duration.ofSeconds(1));
        assertEquals(1, n3.wanted(NodeEffect.ChangeSwitch.class).size());
    }

    @Test
    void whatHappenedWhileAControllerWasAwayIsOneLineOfItsLog() {
        cluster.answers(4, false);
        long before = n3.state().cluster().generationNumber(1);
        cluster.until(() -> n3.state().cluster().generationNumber(1) > before, Duration.ofSeconds(10));
        cluster.restartControllers(Site.N3);
        NodeDriver successor = cluster.node(Site.N3);
        cluster.until(() -> successor.state().log().caughtUp(), Duration.ofSeconds(5));
        assertEquals(List.of(), successor.said("generation committed"));
        List<String> caughtUp = successor.said("log is applied as far as anybody's");
        assertEquals(1, caughtUp.size(), caughtUp::toString);
        assertTrue(caughtUp.getFirst().contains("generations=[web="), caughtUp::toString);
    }

    @Test
    void aShortDelayIsNoPause() {
        freeze(n3, Duration.ofMillis(900));
        cluster.run(TICK);
        assertEquals(List.of(), n3.wanted(NodeEffect.ReadBarrier.class));
        assertEquals(InstallState.CONVERGED, n3.web().state());
    }

    @Test
    void anOldLeaderThatWakesProposesAndInstallsNothingOfItsOwn() {
        n1.frozen = true;
        cluster.log.cutOff.add(Site.N1);
        cluster.log.elect(Site.N2);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N2, Site.N3), Duration.ofSeconds(1));
        long before = cluster.generation();
        cluster.run(Duration.ofSeconds(5));
        n1.frozen = false;
        n1.forget();
        n1.answering.clear();
        cluster.run(Duration.ofSeconds(5));
        assertEquals(List.of(), n1.wanted(NodeEffect.Propose.class));
        assertEquals(List.of(), n1.wanted(NodeEffect.ChangeSwitch.class));
        assertEquals(before, cluster.generation());
        cluster.log.reconnect(Site.N1);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1), Duration.ofSeconds(1));
    }

    @Test
    void theAnswerToABarrierAskedBeforeThePauseDoesNotCount() {
        n3.muted.add(NodeEffect.ReadBarrier.class);
        freeze(n3, Duration.ofSeconds(2));
        cluster.run(TICK);
        assertEquals(1, n3.wanted(NodeEffect.ReadBarrier.class).size());
        freeze(n3, Duration.ofSeconds(2));
        cluster.run(TICK);
        n3.deliver(new NodeEvent.BarrierFinished(true));
        cluster.run(TICK);
        assertFalse(n3.state().log().caughtUp(), "it was asked before the second pause");
        assertEquals(1, n3.wanted(NodeEffect.ReadBarrier.class).size(), "asked anew");
        n3.deliver(new NodeEvent.BarrierFinished(true));
        cluster.run(TICK);
        assertTrue(n3.state().log().caughtUp());
    }

    @Test
    void aBarrierThatFailsIsAskedAgainAndOneWithoutAnswerIsGivenUp() {
        n3.muted.add(NodeEffect.ReadBarrier.class);
        freeze(n3, Duration.ofSeconds(2));
        cluster.run(TICK);
        n3.deliver(new NodeEvent.BarrierFinished(false));
        cluster.run(Duration.ofMillis(180));
        assertEquals(1, n3.wanted(NodeEffect.ReadBarrier.class).size());
        cluster.run(Duration.ofMillis(100));
        assertEquals(2, n3.wanted(NodeEffect.ReadBarrier.class).size());
        cluster.run(Duration.ofSeconds(5));
        assertEquals(3, n3.wanted(NodeEffect.ReadBarrier.class).size());
    }

    @Test
    void aPausedNodeIsUnreachableForTheOthersAndComesBack() {
        n3.frozen = true;
        cluster.run(Duration.ofSeconds(4));
        assertEquals(
                "n3 unreachable",
                ClusterViews.of(n1.state(), cluster.now()).verdict().substring(19, 33));
        n3.frozen = false;
        cluster.until(() -> ClusterViews.of(n1.state(), cluster.now()).converged(), Duration.ofSeconds(1));
    }
}
