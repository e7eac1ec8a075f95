package io.quorumlb.node.core;

import static io.quorumlb.node.core.Site.N1;
import static io.quorumlb.node.core.Site.N2;
import static io.quorumlb.node.core.Site.N3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.packet.ArpFrame;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gateways of a node that is lost go to others and come home, in a cluster led by n1. */
class GatewaysTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<String> OF_N3 = List.of("10.20.0.253", "10.30.0.253");

    private final SimCluster cluster = SimCluster.converged();

    @BeforeEach
    void settle() {
        cluster.run(Duration.ofSeconds(15));
        cluster.forget();
    }

    /** The node's machine stands still: nothing of it answers. */
    private void freeze(NodeId node) {
        cluster.node(node).frozen = true;
        cluster.nodes().forEach(other -> other.pathAnswers = asked -> !asked.equals(node));
    }

    private void thaw(NodeId node) {
        cluster.node(node).frozen = false;
        cluster.nodes().forEach(other -> other.pathAnswers = _ -> true);
    }

    private boolean away() {
        return !cluster.log.state().movedGateways().isEmpty();
    }

    private SortedSet<String> answersFor(NodeId... nodes) {
        SortedSet<String> addresses = new TreeSet<>();
        for (NodeId node : nodes) {
            cluster.node(node).report().gateways().answersFor().stream()
                    .map(IpAddress::toString)
                    .forEach(addresses::add);
        }
        return addresses;
    }

    /** Returns the addresses that the nodes have told everybody about. */
    private SortedSet<String> told(NodeId... nodes) {
        SortedSet<String> told = new TreeSet<>();
        for (NodeId node : nodes) {
            cluster.node(node)
                    .wanted(NodeEffect.SendFrames.class)
                    .forEach(send -> send.frames()
                            .forEach(frame ->
                                    told.add(((ArpFrame) frame).sender().toString())));
        }
        return told;
    }

    @Test
    void aFrozenNodesGatewaysGoToTheOthersWithinASecondAndAHalf() {
        freeze(N3);
        Duration took = cluster.until(() -> answersFor(N1, N2).containsAll(OF_N3), Duration.ofSeconds(3));
        assertTrue(took.compareTo(Duration.ofMillis(1500)) < 0, took.toString());
        cluster.run(Duration.ofMillis(500));
        SortedSet<String> told = told(N1);
        told.addAll(told(N2));
        assertEquals(new TreeSet<>(OF_N3), told);
        assertEquals(
                1,
                cluster.node(N1)
                        .said("addresses=[10.20.0.253] home=n3 from=n3 to=n1")
                        .size());
        assertEquals(
                1,
                cluster.node(N2)
                        .said("addresses=[10.30.0.253] home=n3 from=n3 to=n2")
                        .size());
    }

    @Test
    void soDoTheLeaders() {
        freeze(N1);
        cluster.run(SECOND);
        cluster.log.elect(N2);
        cluster.until(
                () -> answersFor(N2, N3).containsAll(List.of("10.20.0.251", "10.30.0.251")), Duration.ofSeconds(2));
    }

    @Test
    void aSuccessorThatHasNotReadItsSwitchYetKeepsItsGateways() {
        cluster.restartControllers(N3);
        NodeDriver successor = cluster.node(N3);
        successor.muted.add(NodeEffect.ReadSwitch.class);
        cluster.run(Duration.ofSeconds(4));
        assertTrue(successor.state().datapath().snapshot().isEmpty());
        assertEquals(List.of(), cluster.node(N1).said("gateways proposed"));
        assertEquals(List.of(), cluster.node(N1).said("gateway goes from"));
    }

    @Test
    void aDeadControllerKeepsItsGateways() {
        cluster.node(N3).frozen = true;
        cluster.run(Duration.ofSeconds(8));
        assertFalse(away());
        cluster.restartControllers(N3);
        cluster.run(Duration.ofSeconds(3));
        assertFalse(away());
        assertEquals(List.of(), cluster.node(N3).wanted(NodeEffect.ChangeSwitch.class));
    }

    @Test
    void oneAnswerAnywhereCountsMoreThanTheLeadersSilence() {
        cluster.node(N3).frozen = true;
        cluster.node(N1).pathAnswers = _ -> false;
        cluster.run(Duration.ofSeconds(5));
        assertFalse(away());
    }

    @Test
    void aControllerThatDoesNotComeBackLosesThemAtLast() {
        cluster.node(N3).frozen = true;
        cluster.until(this::away, Duration.ofSeconds(22));
    }

    @Test
    void aWokenNodeTellsNothingAndStopsAnsweringAndGetsItsOwnBackLater() {
        freeze(N3);
        cluster.until(this::away, Duration.ofSeconds(3));
        cluster.run(Duration.ofSeconds(4));
        cluster.forget();
        thaw(N3);
        cluster.run(Duration.ofMillis(100));
        cluster.until(() -> cluster.node(N3).report().pools().getFirst().state() == InstallState.CONVERGED, SECOND);
        assertEquals(new TreeSet<>(), answersFor(N3));
        cluster.run(Duration.ofSeconds(8));
        assertTrue(away());
        assertEquals(new TreeSet<>(), told(N3));
        cluster.until(() -> answersFor(N3).containsAll(OF_N3), Duration.ofSeconds(4));
        cluster.run(SECOND);
        assertEquals(new TreeSet<>(OF_N3), told(N3));
        assertFalse(away());
        assertEquals(2, answersFor(N1).size());
    }

    @Test
    void whoHasThemTellsAgainWhenTheirHomeIsBack() {
        freeze(N3);
        cluster.until(this::away, Duration.ofSeconds(3));
        cluster.run(Duration.ofSeconds(5));
        cluster.forget();
        cluster.run(SECOND);
        assertEquals(new TreeSet<>(), told(N1, N2), "told enough for now");
        thaw(N3);
        cluster.run(Duration.ofSeconds(2));
        assertTrue(told(N1, N2).containsAll(OF_N3), () -> told(N1, N2).toString());
    }

    @Test
    void beforeItsReadBarrierAWokenNodeTellsNothing() {
        freeze(N3);
        cluster.until(this::away, Duration.ofSeconds(3));
        cluster.run(SECOND);
        cluster.forget();
        cluster.node(N3).muted.add(NodeEffect.ReadBarrier.class);
        thaw(N3);
        cluster.run(Duration.ofSeconds(3));
        assertEquals(List.of(), cluster.node(N3).wanted(NodeEffect.SendFrames.class));
        assertEquals(List.of(), cluster.node(N3).wanted(NodeEffect.ChangeSwitch.class));
    }

    @Test
    void withoutItsSwitchANodeLosesThemAfterMoreThanARestartTakes() {
        cluster.node(N3).ovs.reachable = false;
        cluster.run(Duration.ofMillis(900));
        assertFalse(away());
        cluster.until(this::away, Duration.ofSeconds(4));
        cluster.node(N3).ovs.reachable = true;
        cluster.until(() -> !away(), Duration.ofSeconds(13));
    }

    @Test
    void nodesThatStartAreNotTakenForLost() {
        cluster.restartControllers(N1, N2, N3);
        cluster.log.elect(N2);
        cluster.run(Duration.ofSeconds(5));
        assertFalse(away());
    }
}
