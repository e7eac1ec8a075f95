package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterViewsTest {
    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n1 = cluster.node(Site.N1);
    private final NodeDriver n3 = cluster.node(Site.N3);

    private String verdict() {
        return ClusterViews.of(n1.state(), cluster.now()).verdict();
    }

    @Test
    void everyNodeHasProvenEverything() {
        ClusterView view = ClusterViews.of(n1.state(), cluster.now());
        assertTrue(view.converged());
        assertEquals("CONVERGED 3/3", view.verdict());
        assertEquals(3, view.nodes().size());
    }

    /** Returns when the certificate of the third node ends, as the first has heard it. */
    private Optional<Instant> heardEnd() {
        return ClusterViews.of(n1.state(), cluster.now())
                .nodes()
                .getLast()
                .record()
                .flatMap(heard -> heard.report().certificateEnd());
    }

    @Test
    void whenACertificateEndsIsHeardByAll() {
        assertEquals(Optional.empty(), heardEnd());
        for (String end : List.of("2030-01-02T03:04:05Z", "2031-01-02T03:04:05Z")) {
            n3.deliver(new NodeEvent.CertificateSeen(Instant.parse(end)));
            cluster.run(Duration.ofSeconds(1));
            assertEquals(Optional.of(Instant.parse(end)), heardEnd());
        }
    }

    @Test
    void aNodeThatWasNeverHeardOfIsNamed() {
        SimCluster fresh = SimCluster.started();
        fresh.node(Site.N3).frozen = true;
        Site.configure(fresh.log);
        fresh.log.elect(Site.N1);
        fresh.run(Duration.ofSeconds(4));
        String verdict =
                ClusterViews.of(fresh.node(Site.N1).state(), fresh.now()).verdict();
        assertEquals("NOT CONVERGED 2/3: n3 has not been heard of", verdict);
    }

    @Test
    void aSilentNodeIsUnreachableForAWhile() {
        n3.frozen = true;
        cluster.run(Duration.ofMillis(1400));
        assertTrue(ClusterViews.of(n1.state(), cluster.now()).converged(), "two seconds of silence are allowed");
        cluster.run(Duration.ofMillis(1600));
        assertTrue(verdict().matches("NOT CONVERGED 2/3: n3 unreachable for [23]\\.\\d s"), verdict());
    }

    @Test
    void aNodeWithoutSwitchSaysWhy() {
        n3.ovs.reachable = false;
        cluster.run(Duration.ofSeconds(3));
        assertEquals(
                "NOT CONVERGED 2/3: n3 NO_SWITCH pool web generation %d (br-lb.mgmt: connection refused)"
                        .formatted(cluster.generation()),
                verdict());
    }

    @Test
    void aNodeThatWaitsForAMemberNamesIt() {
        cluster.nodes().forEach(node -> {
            node.answering.add(5);
            if (node != n3) {
                node.neighbours("p2", macs -> macs.put(Ipv4Address.parse("10.20.0.9"), Site.mac(5)));
            }
        });
        cluster.log.operator(Site.createMember("be5", "p2", MemberKey.parse("10.20.0.9:8080")));
        cluster.run(Duration.ofSeconds(4));
        assertEquals(
                "NOT CONVERGED 2/3: n3 WAITING_NEIGHBOUR pool web generation %d (no MAC address for [10.20.0.9])"
                        .formatted(cluster.generation()),
                verdict());
    }

    @Test
    void aNodeBehindInTheLogHasAnotherGeneration() {
        cluster.log.cutOff.add(Site.N3);
        long before = cluster.generation();
        cluster.log.operator(new Command.SetMemberWeight("web", "be1", 3));
        cluster.run(Duration.ofSeconds(1));
        assertEquals(
                "NOT CONVERGED 2/3: n3 has generation %d of pool web, this node %d".formatted(before, before + 1),
                verdict());
    }

    @Test
    void aNewPoolIsNotKnownToANodeBehind() {
        cluster.log.cutOff.add(Site.N3);
        cluster.log.operator(new Command.CreatePool(new Pool(0, "api", HashAlgoVersion.V1, 1024, Site.MONITOR)));
        cluster.run(Duration.ofSeconds(1));
        assertEquals("NOT CONVERGED 2/3: n3 does not know pool api yet", verdict());
    }

    @Test
    void aRestartedNodeIsNotConvergedBeforeItHasCaughtUp() {
        cluster.restartControllers(Site.N3);
        cluster.node(Site.N3).muted.add(NodeEffect.ReadBarrier.class);
        cluster.run(Duration.ofSeconds(1));
        assertFalse(ClusterViews.of(n1.state(), cluster.now()).converged());
        assertTrue(verdict().contains("n3 LAGGING pool web"), verdict());
    }
}
