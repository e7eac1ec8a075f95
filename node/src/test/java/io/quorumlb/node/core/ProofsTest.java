package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.AdminState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProofsTest {
    private static final Duration TICK = Duration.ofMillis(20);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n1 = cluster.node(Site.N1);

    private Proof proof(long generation) {
        return Proofs.of(n1.state(), Site.WEB, generation, cluster.now());
    }

    @Test
    void allThreeHaveProvenTheCurrentGenerationAndAnyEarlierOne() {
        long current = cluster.generation();
        assertTrue(proof(current).complete());
        assertEquals(List.of(Site.N1, Site.N2, Site.N3), proof(current).provenBy());
        assertTrue(proof(current - 1).complete());
        assertFalse(proof(current + 1).complete(), "nobody has what is not committed");
    }

    @Test
    void aReachableNodeThatHasNotProvenHoldsTheProofUp() {
        cluster.node(Site.N3).muted.add(NodeEffect.ChangeSwitch.class);
        cluster.admin("be1", AdminState.DRAINED);
        cluster.run(Duration.ofSeconds(1));
        Proof proof = proof(cluster.generation());
        assertFalse(proof.complete());
        assertEquals(List.of(Site.N1, Site.N2), proof.provenBy());
        assertEquals(Site.N3, proof.missing().getFirst().node());
        assertTrue(proof.missing().getFirst().reason().startsWith("INSTALLING generation"));
    }

    @Test
    void aPausedNodeIsUnreachableAndTheProofIsCompleteByTheOthers() {
        cluster.node(Site.N3).frozen = true;
        cluster.run(Duration.ofSeconds(3));
        cluster.admin("be1", AdminState.DRAINED);
        cluster.run(Duration.ofSeconds(1));
        Proof proof = proof(cluster.generation());
        assertTrue(proof.complete());
        assertFalse(proof.missing().getFirst().reachable());
        assertTrue(proof.missing().getFirst().reason().startsWith("unreachable for"));
    }

    @Test
    void oneOfThreeIsNeverComplete() {
        cluster.node(Site.N2).frozen = true;
        cluster.node(Site.N3).frozen = true;
        cluster.run(Duration.ofSeconds(3));
        Proof proof = proof(cluster.generation());
        assertEquals(List.of(Site.N1), proof.provenBy());
        assertFalse(proof.complete());
    }

    @Test
    void aPoolIsSettledWhenNoFurtherGenerationIsDue() {
        assertTrue(settled());
        cluster.admin("be1", AdminState.DRAINED);
        long revision = cluster.log.state().revision();
        assertFalse(Proofs.settled(n1.state(), Site.WEB, revision, cluster.now()), "not applied here yet");
        n1.muted.add(NodeEffect.Propose.class);
        cluster.run(TICK);
        assertFalse(settled(), "drained, and the generation without it is not committed");
        n1.muted.clear();
        cluster.log.operator(n1.wanted(NodeEffect.Propose.class).getFirst().command());
        cluster.run(TICK);
        assertTrue(settled());
        assertFalse(Proofs.settled(n1.state(), 99, 0, cluster.now()), "an unknown pool never is");
    }

    private boolean settled() {
        return Proofs.settled(n1.state(), Site.WEB, cluster.log.state().revision(), cluster.now());
    }
}
