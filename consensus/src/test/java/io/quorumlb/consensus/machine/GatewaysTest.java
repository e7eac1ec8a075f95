package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.wire.EntryCodec;
import io.quorumlb.consensus.wire.SnapshotCodec;
import io.quorumlb.maglev.Ipv4Address;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GatewaysTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final GatewayId OF_N1 = new GatewayId(1, N1);
    private static final SortedMap<GatewayId, NodeId> HOME = new TreeMap<>();

    private ClusterState state = ClusterState.empty();

    @BeforeEach
    void configure() {
        SortedMap<NodeId, Ipv4Address> gateways = new TreeMap<>();
        gateways.put(N1, Ipv4Address.parse("10.20.0.251"));
        gateways.put(N2, Ipv4Address.parse("10.20.0.252"));
        var segment = new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), gateways);
        state = StateMachine.apply(state, new Command.CreateSegment(segment)).state();
    }

    private static SortedMap<GatewayId, NodeId> away(GatewayId gateway, NodeId owner) {
        SortedMap<GatewayId, NodeId> moved = new TreeMap<>();
        moved.put(gateway, owner);
        return moved;
    }

    private Outcome assign(SortedMap<GatewayId, NodeId> before, SortedMap<GatewayId, NodeId> moved) {
        Applied applied = StateMachine.apply(state, new Command.AssignGateways(before, moved, "test"));
        state = applied.state();
        return applied.outcome();
    }

    @Test
    void aGatewayGoesAndComesHomeAndTheRevisionStays() {
        Segment segment = state.model().segments().firstEntry().getValue();
        assertEquals(N1, state.ownerOf(OF_N1));
        assertEquals(new Outcome.Done(0, 1), assign(HOME, away(OF_N1, N2)));
        assertEquals(N2, state.ownerOf(OF_N1));
        assertTrue(state.gatewaysOf(segment, N1).isEmpty());
        assertEquals("[10.20.0.251, 10.20.0.252]", state.gatewaysOf(segment, N2).toString());
        assertEquals(new Outcome.Done(0, 1), assign(away(OF_N1, N2), HOME));
        assertEquals("[10.20.0.251]", state.gatewaysOf(segment, N1).toString());
    }

    @Test
    void whatWasPlannedFromAnotherStateIsRefused() {
        assign(HOME, away(OF_N1, N2));
        refused(Outcome.Cause.STALE, HOME, HOME);
    }

    @Test
    void onlyGatewaysThatExistGoToNodesThatAreAttached() {
        refused(Outcome.Cause.INVALID, HOME, away(new GatewayId(2, N1), N2));
        refused(Outcome.Cause.INVALID, HOME, away(new GatewayId(1, N3), N2));
        refused(Outcome.Cause.INVALID, HOME, away(OF_N1, N3));
        refused(Outcome.Cause.INVALID, HOME, away(OF_N1, N1));
    }

    private void refused(Outcome.Cause cause, SortedMap<GatewayId, NodeId> before, SortedMap<GatewayId, NodeId> moved) {
        ClusterState unchanged = state;
        assertEquals(
                cause,
                assertInstanceOf(Outcome.Refused.class, assign(before, moved)).cause());
        assertSame(unchanged, state);
    }

    @Test
    void aDeletedSegmentTakesItsGatewaysAlong() {
        assign(HOME, away(OF_N1, N2));
        state = StateMachine.apply(state, new Command.DeleteSegment("p2")).state();
        assertEquals(HOME, state.movedGateways());
    }

    @Test
    void entryAndSnapshotSurviveTheWire() {
        var command = new Command.AssignGateways(HOME, away(OF_N1, N2), "n1 is silent");
        assertEquals(command, EntryCodec.fromWire(EntryCodec.toWire(command)));
        assign(HOME, away(OF_N1, N2));
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
    }
}
