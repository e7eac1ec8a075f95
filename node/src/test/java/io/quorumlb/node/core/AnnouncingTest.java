package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.Command;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AnnouncingTest {
    private static final Duration TICK = Duration.ofMillis(20);

    @Test
    void nothingIsSaidToTheAnnouncerBeforeTheFirstProof() {
        SimCluster cluster = SimCluster.started();
        NodeDriver n1 = cluster.node(Site.N1);
        n1.muted.add(NodeEffect.ChangeSwitch.class);
        Site.configure(cluster.log);
        cluster.log.elect(Site.N2);
        cluster.run(Duration.ofSeconds(5));
        assertEquals(List.of(), n1.wanted(NodeEffect.Announce.class));
        assertEquals(List.of(), n1.wanted(NodeEffect.Withdraw.class), "an earlier life's routes stay");
        assertFalse(n1.state().ready());
        assertTrue(cluster.node(Site.N2).report().announced());
    }

    @Test
    void theRoutesAreConfirmedEverySecond() {
        SimCluster cluster = SimCluster.converged();
        cluster.run(Duration.ofSeconds(10));
        List<NodeEffect.Announce> confirmed = cluster.node(Site.N1).wanted(NodeEffect.Announce.class);
        assertEquals(10, confirmed.size(), 1);
        assertEquals("[10.99.0.10]", confirmed.getFirst().vips().toString());
        assertTrue(cluster.node(Site.N1).state().ready());
    }

    @Test
    void aClusterWithoutListenersIsReadyAndAnnouncesNothing() {
        SimCluster cluster = SimCluster.started();
        cluster.log.elect(Site.N1);
        cluster.run(Duration.ofSeconds(2));
        NodeDriver n1 = cluster.node(Site.N1);
        assertTrue(n1.state().ready());
        assertEquals("no listener is configured", n1.report().notAnnouncedReason());
        assertEquals(List.of(), n1.wanted(NodeEffect.Announce.class));
    }

    @Test
    void theLastListenerTakesItsRouteAlong() {
        SimCluster cluster = SimCluster.converged();
        cluster.log.operator(new Command.DeleteListener("web-http"));
        cluster.run(TICK.multipliedBy(10));
        assertFalse(cluster.node(Site.N1).report().announced());
    }

    @Test
    void withoutANextHopRepliesCannotLeaveAndTheNodeIsNotAnnounced() {
        SimCluster cluster = SimCluster.started();
        NodeDriver n1 = cluster.node(Site.N1);
        n1.neighbours("uplink", SortedMap::clear);
        Site.configure(cluster.log);
        cluster.log.elect(Site.N2);
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N1), Duration.ofSeconds(5));
        cluster.run(Duration.ofSeconds(2));
        assertFalse(n1.report().announced());
        assertEquals("next hop 10.10.0.1 has no MAC address", n1.report().notAnnouncedReason());
        n1.network = Site.network(Site.N1);
        cluster.until(() -> n1.report().announced(), Duration.ofSeconds(2));
    }

    @Test
    void aLostPortOrInterfaceIsNamedAndTheNodeLeaves() {
        SimCluster cluster = SimCluster.converged();
        NodeDriver n1 = cluster.node(Site.N1);
        n1.ovs.ports.remove("x-p3");
        cluster.until(() -> !n1.report().announced(), Duration.ofSeconds(3));
        assertEquals("port x-p3 of segment p3 is not in the switch", n1.report().notAnnouncedReason());
        NodeDriver n2 = cluster.node(Site.N2);
        var interfaces = new TreeMap<>(n2.network.interfaces());
        interfaces.remove("p2");
        n2.network = new NetworkView(interfaces, n2.network.neighbours());
        cluster.until(() -> !n2.report().announced(), Duration.ofSeconds(2));
        assertEquals(
                List.of("interface p2 of segment p2 is missing or has no address"),
                n2.report().problems());
        n2.network = Site.network(Site.N2);
        cluster.until(() -> n2.report().announced(), Duration.ofSeconds(2));
    }

    @Test
    void withoutALeaderARestartedControllerKeepsWhatItFindsAndChangesNothing() {
        SimCluster cluster = SimCluster.converged();
        cluster.log.loseLeader();
        cluster.restartControllers(Site.N1);
        NodeDriver n1 = cluster.node(Site.N1);
        var flows = new TreeMap<>(n1.ovs.flows);
        cluster.run(Duration.ofSeconds(60));
        assertEquals(57, n1.wanted(NodeEffect.RestoreAnnounced.class).size(), 1, "confirmed every second");
        assertEquals(List.of(), n1.wanted(NodeEffect.Withdraw.class));
        assertEquals(List.of(), n1.wanted(NodeEffect.ChangeSwitch.class));
        assertEquals(flows, n1.ovs.flows);
        assertEquals(InstallState.LAGGING, n1.web().state(), "it proves nothing");
        cluster.log.elect(Site.N2);
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N1), Duration.ofSeconds(5));
        assertEquals(0, n1.report().datapath().flowModsSent());
        n1.forget();
        cluster.run(Duration.ofSeconds(5));
        assertEquals(List.of(), n1.wanted(NodeEffect.RestoreAnnounced.class));
        assertEquals(5, n1.wanted(NodeEffect.Announce.class).size(), 1);
    }

    @Test
    void electionsWithoutAWinnerDoNotPutOffThatItIsKept() {
        SimCluster cluster = SimCluster.converged();
        cluster.log.loseLeader();
        cluster.restartControllers(Site.N1);
        NodeDriver n1 = cluster.node(Site.N1);
        for (long term = 100; term < 110; term++) {
            n1.deliver(new NodeEvent.LeadershipChanged(new Leadership.Searching(term)));
            cluster.run(Duration.ofSeconds(1));
        }
        assertEquals(7, n1.wanted(NodeEffect.RestoreAnnounced.class).size(), 1);
    }

    @Test
    void anEmptySwitchIsNotKeptAnnounced() {
        SimCluster cluster = SimCluster.converged();
        cluster.log.loseLeader();
        cluster.node(Site.N1).ovs.flows.clear();
        cluster.restartControllers(Site.N1);
        cluster.run(Duration.ofSeconds(20));
        assertEquals(List.of(), cluster.node(Site.N1).wanted(NodeEffect.RestoreAnnounced.class));
    }

    @Test
    void allMembersDownKeepTheRoute() {
        SimCluster cluster = SimCluster.converged();
        List.of(1, 2, 3, 4).forEach(member -> cluster.answers(member, false));
        cluster.run(Duration.ofSeconds(5));
        PoolReport web = cluster.node(Site.N1).web();
        assertEquals(InstallState.CONVERGED, web.state(), "the empty table is proven");
        assertTrue(cluster.node(Site.N1).report().announced(), "fail-close drops and counts");
    }
}
