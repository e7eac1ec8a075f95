package io.quorumlb.node.core;

import static io.quorumlb.node.core.Site.N1;
import static io.quorumlb.node.core.Site.N2;
import static io.quorumlb.node.core.Site.N3;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.NodeId;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Segments p2 (id 1) and p3 (id 2), each with a gateway of n1, n2 and n3. */
class GatewayPlanTest {
    private ClusterState state = site();

    private static ClusterState site() {
        var log = new FakeLog();
        Site.configure(log);
        return log.state();
    }

    private SortedMap<GatewayId, NodeId> next(Fitness n1, Fitness n2, Fitness n3) {
        SortedMap<NodeId, Fitness> fitness = new TreeMap<>();
        fitness.put(N1, n1);
        fitness.put(N2, n2);
        fitness.put(N3, n3);
        SortedMap<GatewayId, NodeId> next = GatewayPlan.next(state, fitness);
        if (!next.equals(state.movedGateways())) {
            var command = new Command.AssignGateways(state.movedGateways(), next, "test");
            state = StateMachine.apply(state, command).state();
        }
        return next;
    }

    private static SortedMap<GatewayId, NodeId> away(NodeId home, NodeId inP2, NodeId inP3) {
        SortedMap<GatewayId, NodeId> moved = new TreeMap<>();
        moved.put(new GatewayId(1, home), inP2);
        moved.put(new GatewayId(2, home), inP3);
        return moved;
    }

    @Test
    void whileAllAreWellNothingMoves() {
        assertEquals(new TreeMap<>(), next(Fitness.SETTLED, Fitness.TAKES, Fitness.HOLDS));
    }

    @Test
    void whatALostNodeHadIsSpreadOverTheOthers() {
        assertEquals(away(N3, N1, N2), next(Fitness.TAKES, Fitness.TAKES, Fitness.LOST));
    }

    @Test
    void itComesHomeOnlyOnceTheHomeIsSettled() {
        var moved = next(Fitness.SETTLED, Fitness.SETTLED, Fitness.LOST);
        assertEquals(moved, next(Fitness.SETTLED, Fitness.SETTLED, Fitness.HOLDS));
        assertEquals(moved, next(Fitness.SETTLED, Fitness.SETTLED, Fitness.TAKES));
        assertEquals(new TreeMap<>(), next(Fitness.SETTLED, Fitness.SETTLED, Fitness.SETTLED));
    }

    @Test
    void whoTookOverAndIsLostLosesAll() {
        next(Fitness.TAKES, Fitness.TAKES, Fitness.LOST);
        SortedMap<GatewayId, NodeId> all = away(N3, N2, N2);
        all.putAll(away(N1, N2, N2));
        assertEquals(all, next(Fitness.LOST, Fitness.TAKES, Fitness.LOST));
    }

    @Test
    void withNobodyFitItStaysWhereItIs() {
        assertEquals(new TreeMap<>(), next(Fitness.LOST, Fitness.LOST, Fitness.HOLDS));
        assertEquals(new TreeMap<>(), next(Fitness.HOLDS, Fitness.HOLDS, Fitness.LOST));
    }
}
