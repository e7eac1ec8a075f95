package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.model.NodeId;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NodeServiceTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");

    private ClusterState state = ClusterState.empty();

    private Outcome set(NodeId node, Service service, NodeId... staying) {
        Applied applied = StateMachine.apply(
                state, new Command.SetService(node, service, "test", new TreeSet<>(List.of(staying))));
        state = applied.state();
        return applied.outcome();
    }

    @Test
    void aNodeLeavesAndReturnsAndTheRevisionStays() {
        assertEquals(new Outcome.Done(0, 0), set(N1, Service.OUT, N2, N3));
        assertEquals("test", state.outOfService().get(N1));
        assertTrue(state.inService(N2));
        assertEquals(new Outcome.Done(0, 0), set(N1, Service.IN));
        assertTrue(state.inService(N1));
    }

    @Test
    void theLastOneCannotLeave() {
        set(N1, Service.OUT, N2, N3);
        set(N2, Service.OUT, N1, N3);
        ClusterState before = state;
        for (NodeId[] staying : List.of(new NodeId[] {}, new NodeId[] {N3}, new NodeId[] {N1, N2, N3})) {
            Outcome.Refused refused = assertInstanceOf(Outcome.Refused.class, set(N3, Service.OUT, staying));
            assertEquals(Outcome.Cause.LIMIT, refused.cause());
            assertSame(before, state);
        }
    }

    @Test
    void theFirstReasonIsKept() {
        set(N1, Service.OUT, N2);
        state = StateMachine.apply(
                        state, new Command.SetService(N1, Service.OUT, "another", new TreeSet<>(List.of(N2))))
                .state();
        assertEquals("test", state.outOfService().get(N1));
    }
}
