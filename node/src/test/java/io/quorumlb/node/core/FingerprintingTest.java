package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.pipeline.PipelineTable;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nodes whose switches hash otherwise, or cannot do what is committed. */
class FingerprintingTest {
    private static final Fingerprint OTHER =
            new Fingerprint(Fingerprint.digest(List.of(1)), Fingerprint.digest(List.of(2)));
    private static final Fingerprint TABLE_ONLY =
            new Fingerprint(Fingerprint.predicted().table(), Optional.empty(), "no such hash");

    private static long slotFlows(NodeDriver node) {
        return node.ovs.flows.keySet().stream()
                .filter(key -> key.table() == PipelineTable.SLOTS.id() && key.priority() == 100)
                .count();
    }

    private static boolean outOfService(SimCluster cluster) {
        return !cluster.node(Site.N1).state().cluster().inService(Site.N3);
    }

    @Test
    void aNodeWhoseSwitchHashesOtherwiseInstallsNothingAndLeaves() {
        var cluster = SimCluster.started();
        cluster.node(Site.N3).ovs.fingerprint = OTHER;
        Site.configure(cluster.log);
        cluster.log.elect(Site.N1);
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N1, Site.N2), Duration.ofSeconds(8));
        cluster.until(() -> outOfService(cluster), Duration.ofSeconds(8));
        NodeDriver differs = cluster.node(Site.N3);
        assertEquals(0, slotFlows(differs), "only what the fingerprint needs is there");
        assertTrue(differs.ovs.groups.containsKey(SlotFunctions.FINGERPRINT_GROUP));
        assertFalse(differs.report().announced());
        assertTrue(
                differs.report().problems().stream().anyMatch(problem -> problem.contains("fingerprint-differs")),
                differs.report().problems()::toString);
        assertEquals(
                1,
                differs.wanted(NodeEffect.Say.class).stream()
                        .filter(say -> say.code().equals("fingerprint-differs"))
                        .count(),
                "said once");
    }

    @Test
    void afterARestartOfTheSwitchItIsTakenAgainAndCounts() {
        var cluster = SimCluster.converged();
        NodeDriver node = cluster.node(Site.N3);
        node.ovs.fingerprint = OTHER;
        node.ovs.reachable = false;
        cluster.run(Duration.ofSeconds(3));
        node.ovs.reachable = true;
        cluster.until(() -> outOfService(cluster), Duration.ofSeconds(20));
        assertEquals(
                Optional.of(OTHER), node.report().datapath().fingerprint(), "the others see it in the status as well");
        node.ovs.fingerprint = Fingerprint.predicted();
        node.ovs.reachable = false;
        cluster.run(Duration.ofSeconds(3));
        node.ovs.reachable = true;
        cluster.until(() -> !outOfService(cluster), Duration.ofSeconds(30));
    }

    @Test
    void theFormIsCommittedAndANodeThatCannotDoItDoesNotServe() {
        var cluster = SimCluster.converged();
        NodeDriver node = cluster.node(Site.N3);
        assertEquals(Optional.empty(), cluster.node(Site.N1).state().obstacle(SlotFunction.DP_HASH, cluster.now()));
        cluster.log.operator(new Command.SetSlotFunction(SlotFunction.DP_HASH));
        cluster.run(Duration.ofSeconds(2));
        for (NodeDriver one : cluster.nodes()) {
            assertTrue(one.ovs.groups.size() > 1, "a group for the pool");
            assertTrue(one.report().announced());
        }
        node.ovs.fingerprint = TABLE_ONLY;
        node.ovs.reachable = false;
        cluster.run(Duration.ofSeconds(3));
        node.ovs.reachable = true;
        cluster.until(() -> outOfService(cluster), Duration.ofSeconds(20));
        assertTrue(cluster.node(Site.N1)
                .state()
                .obstacle(SlotFunction.DP_HASH, cluster.now())
                .orElseThrow()
                .contains("n3 has not proven slot function DP_HASH: no such hash"));
    }
}
