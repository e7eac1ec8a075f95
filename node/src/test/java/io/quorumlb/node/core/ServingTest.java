package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class ServingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n1 = cluster.node(Site.N1);
    private final NodeDriver n2 = cluster.node(Site.N2);
    private final NodeDriver n3 = cluster.node(Site.N3);

    private static void blind(NodeDriver node, boolean yes) {
        if (yes) {
            node.answering.clear();
        } else {
            node.answering.addAll(List.of(1, 2, 3, 4));
        }
    }

    private boolean in(NodeId node) {
        return cluster.log.state().inService(node);
    }

    @Test
    void aBlindObserverChangesNoTableIsNamedAndTakesItselfOut() {
        long before = cluster.generation();
        blind(n3, true);
        Duration took = cluster.until(() -> !n3.report().announced(), Duration.ofSeconds(10));
        assertTrue(
                took.compareTo(Duration.ofSeconds(3)) > 0 && took.compareTo(Duration.ofSeconds(6)) < 0, took::toString);
        assertEquals(before, cluster.generation());
        assertFalse(in(Site.N3));
        assertEquals(InstallState.NOT_SERVING, n3.web().state());
        assertTrue(n3.web().detail().startsWith("sees 4 of 4 members of pool web down"), n3.web()::detail);
        assertEquals("out of service: " + n3.web().detail(), n3.report().notAnnouncedReason());
        String blind = "n3 sees all 4 members of pool web down that a majority sees up";
        assertTrue(n3.report().problems().contains(blind), n3.report()::toString);
        assertTrue(n1.report().problems().contains(blind), "the leader names it too");
        assertFalse(n2.report().problems().contains(blind));
        assertEquals(1, n1.said(blind).size());
        assertEquals(1, n3.said(blind).size());
        assertTrue(n1.report().announced() && n2.report().announced());

        cluster.admin("be1", AdminState.DRAINED);
        cluster.until(() -> cluster.proven(Site.WITHOUT_BE1, Site.N1, Site.N2), SECOND);
        Proof proof = Proofs.of(n1.state(), Site.WEB, cluster.generation(), cluster.now());
        assertEquals(List.of(Site.N1, Site.N2), proof.provenBy(), "only nodes in service are waited for");
        assertTrue(proof.complete());
        cluster.run(SECOND);
        assertEquals(
                Site.WITHOUT_BE1, n3.web().installed().map(Object::toString).orElse(""), "kept up to date");
        cluster.admin("be1", AdminState.ENABLED);

        blind(n3, false);
        Duration back = cluster.until(() -> n3.report().announced(), Duration.ofSeconds(10));
        assertTrue(back.compareTo(Duration.ofSeconds(2)) > 0, "rise rounds: " + back);
        assertTrue(in(Site.N3));
        assertEquals(1, n3.said("node left service node=n3").size());
        assertEquals(1, n3.said("node is back in service node=n3").size());
    }

    @Test
    void aBlindObserverStaysNamedWhenASecondOneGoesBlind() {
        blind(n3, true);
        cluster.until(() -> !in(Site.N3), Duration.ofSeconds(10));
        String named = "n3 sees all 4 members of pool web down that a majority sees up";
        blind(n2, true);
        cluster.run(Duration.ofSeconds(10));
        assertTrue(n1.report().problems().contains(named), n1.report()::toString);
        assertTrue(n3.report().problems().contains(named), n3.report()::toString);
        assertEquals(List.of(), n1.said("observer sees again"));

        blind(n3, false);
        cluster.until(() -> !n1.report().problems().contains(named), Duration.ofSeconds(10));
        assertEquals(1, n1.said("observer sees again: n3").size());
        assertEquals(1, n3.said("observer sees again: n3").size());
    }

    @Test
    void aBlindObserverIsNoLongerNamedWhenNobodySeesAMember() {
        blind(n3, true);
        cluster.until(() -> !in(Site.N3), Duration.ofSeconds(10));
        blind(n1, true);
        blind(n2, true);
        cluster.run(Duration.ofSeconds(10));
        assertEquals(List.of(), n1.said("observer sees again"));
        assertEquals(1, n1.said("observer is not alone").size(), n1.said("observer")::toString);
        assertFalse(n1.report().problems().toString().contains("n3 sees all"), n1.report()::toString);
    }

    @Test
    void oneDownMemberIsEnoughToLeaveAndIsNotBlindness() {
        n3.answering.remove(Site.BE1);
        cluster.until(() -> !in(Site.N3), Duration.ofSeconds(10));
        assertEquals(List.of(), n3.report().problems());
        assertEquals(
                "sees 1 of 4 members of pool web down that are committed as eligible: be1",
                n3.web().detail());
    }

    @Test
    void aShortContradictionIsNone() {
        for (int i = 0; i < 5; i++) {
            blind(n3, true);
            cluster.run(Duration.ofMillis(1300));
            blind(n3, false);
            cluster.run(Duration.ofSeconds(4));
        }
        assertTrue(in(Site.N3));
        assertEquals(List.of(), n3.said("wants to leave service"));
    }

    @Test
    void theLastOneNeverLeavesAndSaysThatItWanted() {
        n2.frozen = true;
        cluster.log.cutOff.add(Site.N2);
        cluster.run(Duration.ofSeconds(3));
        n3.answering.remove(2);
        cluster.until(() -> !in(Site.N3), Duration.ofSeconds(10));
        n1.answering.remove(1);
        cluster.run(Duration.ofSeconds(20));
        assertTrue(in(Site.N1), "n2 is dead and n3 has left: n1 is the last");
        assertTrue(n1.report().announced());
        assertTrue(
                n1.report().problems().stream().anyMatch(problem -> problem.startsWith("wants to leave service, not")),
                n1.report()::toString);
    }

    @Test
    void allThatWantToLeaveTogetherStay() {
        // Each of the three loses another member: every verdict stays up, and every node is contradicted.
        n1.answering.remove(1);
        n2.answering.remove(2);
        n3.answering.remove(3);
        cluster.run(Duration.ofSeconds(20));
        assertTrue(cluster.nodes().stream()
                .anyMatch(node -> in(node.self) && node.report().announced()));
    }

    @Test
    void whenNobodyElseServesTheOneThatLeftComesBack() {
        blind(n3, true);
        cluster.until(() -> !in(Site.N3), Duration.ofSeconds(10));
        n2.frozen = true;
        cluster.log.cutOff.add(Site.N2);
        n1.ovs.ports.remove("x-uplink");
        cluster.until(() -> !n1.report().announced(), Duration.ofSeconds(5));
        cluster.until(() -> n3.report().announced(), Duration.ofSeconds(6));
        assertTrue(in(Site.N3), "better than nothing");
    }

    @Test
    void aNodeThatRestartsOutOfServiceStaysOutUntilItHasSeenEnough() {
        blind(n3, true);
        cluster.until(() -> !in(Site.N3), Duration.ofSeconds(10));
        cluster.restartControllers(Site.N3);
        NodeDriver fresh = cluster.node(Site.N3);
        fresh.muted.add(NodeEffect.Probe.class);
        cluster.run(Duration.ofSeconds(10));
        assertFalse(in(Site.N3), "it has seen nothing yet");
        assertFalse(fresh.report().announced());
        fresh.muted.clear();
        cluster.until(() -> in(Site.N3) && fresh.report().announced(), Duration.ofSeconds(12));
    }

    @Test
    void aMissingNeighbourOfAnEligibleMemberIsAContradiction() {
        n3.neighbours("p2", SortedMap::clear);
        cluster.log.operator(Site.createMember("be5", "p2", MemberKey.parse("10.20.0.9:8080")));
        cluster.nodes().forEach(node -> node.answering.add(5));
        n1.neighbours("p2", macs -> macs.put(Ipv4Address.parse("10.20.0.9"), Site.mac(5)));
        n2.neighbours("p2", macs -> macs.put(Ipv4Address.parse("10.20.0.9"), Site.mac(5)));
        cluster.until(() -> !in(Site.N3), Duration.ofSeconds(10));
        assertEquals(InstallState.WAITING_NEIGHBOUR, n3.web().state());
        cluster.run(SECOND);
        assertEquals(
                "out of service: pool web: no MAC address for [10.20.0.9]",
                n3.report().notAnnouncedReason());
    }

    @Test
    void withoutALeaderTheNodeIsFrozenAndGoesOn() {
        cluster.log.loseLeader();
        cluster.run(Duration.ofSeconds(2));
        assertEquals(InstallState.CONVERGED, n2.web().state(), "an election takes less than that");
        cluster.run(Duration.ofSeconds(2));
        assertEquals(InstallState.FROZEN, n2.web().state());
        assertTrue(n2.report().announced());
        cluster.log.elect(Site.N2);
        cluster.run(SECOND);
        assertEquals(InstallState.CONVERGED, n2.web().state());
    }
}
