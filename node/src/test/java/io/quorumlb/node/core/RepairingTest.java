package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchDatabase;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.PipelineTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Somebody else changes flows, and the switch or its database says so; the switch goes away and comes back. */
class RepairingTest {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final FlowKey SLOT_17 = slotKey(17);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n2 = cluster.node(Site.N2);

    private static FlowKey slotKey(int slot) {
        return new FlowKey(
                PipelineTable.SLOTS.id(),
                100,
                Match.of().with(Field.REG0, Site.WEB).with(Field.REG1, slot));
    }

    private void alter(FlowKey key) {
        Flow good = Optional.ofNullable(n2.ovs.flows.get(key)).orElseThrow();
        n2.ovs.flows.put(key, new Flow(key, good.cookie(), List.of()));
        n2.deliver(new NodeEvent.SwitchTouched());
    }

    private SwitchReport datapath() {
        return n2.report().datapath();
    }

    @Test
    void whatIsToldIsPutRightAtOnceAndCountedByKind() {
        cluster.run(Duration.ofMillis(500));
        n2.ovs.flows.remove(SLOT_17);
        n2.deliver(new NodeEvent.SwitchTouched());
        Duration took = cluster.until(() -> n2.ovs.flows.containsKey(SLOT_17), Duration.ofSeconds(5));
        assertTrue(took.compareTo(Duration.ofMillis(300)) < 0, took::toString);
        cluster.run(Duration.ofSeconds(3));
        alter(slotKey(18));
        cluster.run(Duration.ofSeconds(3));
        var stray = new Flow(
                new FlowKey(PipelineTable.SLOTS.id(), 200, Match.of().with(Field.REG0, Site.WEB)),
                Cookie.OWNER | 0xfff,
                List.of());
        n2.ovs.flows.put(stray.key(), stray);
        n2.deliver(new NodeEvent.SwitchTouched());
        cluster.run(Duration.ofSeconds(1));
        assertEquals(new RepairCounts(1, 1, 1), datapath().repaired());
        assertEquals(1, n2.said("repairs 1: deleted cookie=").size());
        assertEquals(1, n2.said("repairs 1: added cookie=").size());
        assertEquals(1, n2.said("repairs 1: altered cookie=").size());
        assertFalse(datapath().contested());
        assertEquals(InstallState.CONVERGED, n2.web().state());
    }

    @Test
    void aNoticeWithoutADifferenceCostsAReadingAndNothingElse() {
        n2.forget();
        for (int i = 0; i < 1000; i++) {
            n2.deliver(new NodeEvent.SwitchTouched());
        }
        cluster.run(Duration.ofSeconds(1));
        int readings = n2.wanted(NodeEffect.ReadSwitch.class).size();
        assertTrue(readings >= 1 && readings <= 3, "readings " + readings);
        assertEquals(0, n2.wanted(NodeEffect.ChangeSwitch.class).size());
    }

    @Test
    void whoFightsUsIsNamedOnceAndSlowedDownAndTheEndIsSaid() {
        n2.forget();
        for (int i = 0; i < 150; i++) {
            alter(SLOT_17);
            cluster.run(Duration.ofMillis(200));
        }
        int changes = n2.wanted(NodeEffect.ChangeSwitch.class).size();
        assertTrue(changes <= Repairs.AT_ONCE_MAX + 30 / 2 + 1, "changes in 30 s: " + changes);
        assertTrue(changes >= 10, "changes in 30 s: " + changes);
        assertEquals(1, n2.said("somebody keeps changing our flows").size());
        assertEquals(
                Repairs.SAME_FLOW_MAX,
                n2.said("somebody changed our flows: repairs").size());
        assertTrue(datapath().contested());
        assertTrue(
                n2.report().problems().stream().anyMatch(problem -> problem.contains("reg1=0x11")),
                n2.report()::toString);
        cluster.run(Duration.ofSeconds(70));
        assertFalse(datapath().contested());
        assertEquals(1, n2.said("nobody has changed our flows for a while").size());
        assertEquals(List.of(), n2.report().problems());
        assertEquals(InstallState.CONVERGED, n2.web().state());
    }

    @Test
    void manyDifferentFlowsAreSlowedDownToo() {
        n2.forget();
        for (int i = 0; i < 100; i++) {
            alter(slotKey(i));
            cluster.run(Duration.ofMillis(400));
        }
        int changes = n2.wanted(NodeEffect.ChangeSwitch.class).size();
        assertTrue(changes <= Repairs.AT_ONCE_MAX + 40 / 2 + 1, "changes in 40 s: " + changes);
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N2), Duration.ofSeconds(5));
        assertEquals(100, datapath().repaired().altered());
    }

    @Test
    void aRestartOfTheSwitchIsSeenAtOnceAndSaidWithItsTime() {
        SortedMap<FlowKey, Flow> before = new TreeMap<>(n2.ovs.flows);
        n2.ovs.flows.clear();
        n2.ovs.reachable = false;
        n2.deliver(new NodeEvent.SwitchLost("the switch closed the connection"));
        cluster.run(Duration.ofMillis(200));
        n2.ovs.reachable = true;
        Duration took = cluster.until(
                () -> n2.ovs.flows.equals(before) && n2.web().state() == InstallState.CONVERGED, Duration.ofSeconds(1));
        assertTrue(took.compareTo(Duration.ofMillis(200)) < 0, took::toString);
        assertEquals(1, datapath().restarts());
        assertTrue(datapath().lastOutage().compareTo(Duration.ofMillis(200)) >= 0, datapath()::toString);
        assertTrue(datapath().lastOutage().compareTo(Duration.ofMillis(400)) < 0, datapath()::toString);
        assertEquals(1, n2.said("switch has restarted").size());
        assertEquals(
                1,
                n2.said("switch forwards again as committed, proven down_ms=").size());
        assertEquals(RepairCounts.NONE, datapath().repaired(), "a new switch is no repair");
        assertEquals(1, n2.state().datapath().outage().losses());
    }

    @Test
    void aSwitchThatWasOnlySilentIsNoRestart() {
        n2.ovs.reachable = false;
        n2.deliver(new NodeEvent.SwitchLost("silence"));
        cluster.run(Duration.ofSeconds(1));
        n2.ovs.reachable = true;
        cluster.until(() -> cluster.proven(Site.FOUR_UP, Site.N2), Duration.ofSeconds(1));
        cluster.run(TICK);
        assertEquals(0, datapath().restarts());
        assertEquals(Duration.ZERO, datapath().lastOutage());
        assertEquals(1, n2.said("has kept its flows").size());
    }

    private static SwitchDatabase database(String version, String failMode, List<String> controllers) {
        return new SwitchDatabase(
                version,
                Optional.of(new SwitchDatabase.Bridge(
                        "br-lb", "netdev", failMode, controllers, new TreeSet<>(), new TreeMap<>())),
                new TreeMap<>(),
                new TreeMap<>());
    }

    @Test
    void whatIsWrongInTheDatabaseIsSaidOnceAndItsEndToo() {
        n2.deliver(new NodeEvent.DatabaseRead(database("3.1.0", "secure", List.of())));
        cluster.run(TICK);
        assertEquals("3.1.0", datapath().version());
        assertEquals("netdev", datapath().datapathType());
        assertEquals(List.of(), n2.report().problems());
        for (int i = 0; i < 3; i++) {
            n2.deliver(new NodeEvent.DatabaseRead(database("3.1.0", "", List.of("tcp:10.0.0.9:6653"))));
            cluster.run(TICK);
        }
        assertEquals(1, n2.said("fail_mode must be secure, is not set").size());
        assertEquals(
                1, n2.said("configured for the controller tcp:10.0.0.9:6653").size());
        assertEquals(2, n2.report().problems().size());
        n2.deliver(new NodeEvent.DatabaseRead(database("3.1.0", "secure", List.of())));
        cluster.run(TICK);
        assertEquals(2, n2.said("no longer: bridge br-lb").size());
        assertEquals(List.of(), n2.report().problems());
        n2.deliver(new NodeEvent.DatabaseFailed("db.sock: no such file"));
        cluster.run(TICK);
        assertEquals(
                List.of("the switch's database cannot be read: db.sock: no such file"),
                n2.report().problems());
        assertEquals("3.1.0", datapath().version(), "what it said last");
    }

    @Test
    void anotherVersionMakesWhatWasKnownVoid() {
        n2.deliver(new NodeEvent.DatabaseRead(database("3.1.0", "secure", List.of())));
        cluster.run(Duration.ofMillis(500));
        n2.forget();
        n2.deliver(new NodeEvent.DatabaseRead(database("3.5.0", "secure", List.of())));
        cluster.run(TICK.multipliedBy(2));
        assertEquals(1, n2.wanted(NodeEffect.ReadSwitch.class).size());
        assertEquals(1, n2.said("version from=3.1.0 to=3.5.0").size());
        cluster.run(Duration.ofSeconds(1));
        assertEquals(InstallState.CONVERGED, n2.web().state());
        assertEquals(0, n2.wanted(NodeEffect.ChangeSwitch.class).size());
    }
}
