package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.maglev.Ipv4Address;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObservingTest {
    private static final long PERIOD = Site.MONITOR.interval().toNanos();

    private final SimCluster cluster = SimCluster.started();
    private final NodeDriver n1 = cluster.node(Site.N1);

    @Test
    void nothingIsProbedBeforeTheNodeKnowsItsAddresses() {
        n1.muted.add(NodeEffect.ReadNetwork.class);
        Site.configure(cluster.log);
        cluster.run(Duration.ofSeconds(3));
        assertEquals(List.of(), n1.wanted(NodeEffect.Probe.class));
    }

    @Test
    void nothingIsProbedThroughASwitchThatDoesNotCarryTheProbes() {
        Site.configure(cluster.log);
        // Without a leader the node does not know whether what it has of the log is current, and installs nothing.
        cluster.run(Duration.ofSeconds(5));
        assertEquals(List.of(), n1.wanted(NodeEffect.Probe.class));
    }

    @Test
    void eachMemberIsProbedFromTheAddressInItsSegmentAsSoonAsTheSwitchCarriesIt() {
        serve();
        List<ProbeTarget> targets = n1.wanted(NodeEffect.Probe.class).stream()
                .map(NodeEffect.Probe::target)
                .toList();
        assertEquals(
                List.of(1, 2, 3, 4), targets.stream().map(ProbeTarget::memberId).toList());
        assertEquals(Site.key(2), targets.get(1).key());
        assertEquals(Ipv4Address.parse("10.20.0.11"), targets.get(0).source());
        assertEquals(Ipv4Address.parse("10.30.0.11"), targets.get(1).source());
    }

    @Test
    void laterProbesStartOnAGridThatALateStepDoesNotShift() {
        serve();
        cluster.run(Duration.ofSeconds(3));
        MonotonicTime before = n1.probesOf(Site.BE1).getLast();
        cluster.tick(Duration.ofMillis(930));
        cluster.run(Duration.ofSeconds(3));
        List<MonotonicTime> starts = n1.probesOf(Site.BE1);
        long shift = Math.floorMod(starts.getLast().since(before).toNanos(), PERIOD);
        assertTrue(Math.min(shift, PERIOD - shift) <= 20_000_000, "the phase stays, shifted by ns " + shift);
        for (int i = 2; i < starts.size(); i++) {
            Duration gap = starts.get(i).since(starts.get(i - 1));
            assertTrue(gap.toMillis() <= 1930, "late by the late step at most: " + gap);
        }
    }

    @Test
    void nodesProbeAMemberAtDifferentPhases() {
        serve();
        cluster.run(Duration.ofSeconds(3));
        List<Long> phases = Site.NODES.stream()
                .map(id -> Math.floorMod(
                        cluster.node(id).probesOf(Site.BE1).getLast().nanos(), PERIOD))
                .distinct()
                .toList();
        assertEquals(3, phases.size(), phases::toString);
    }

    @Test
    void oneProbePerMemberIsInFlightAndALostOneIsGivenUp() {
        n1.muted.add(NodeEffect.Probe.class);
        serve();
        cluster.run(Duration.ofMillis(2400));
        assertEquals(1, n1.probesOf(Site.BE1).size(), "timeout plus grace have not passed");
        cluster.run(Duration.ofMillis(1400));
        assertEquals(2, n1.probesOf(Site.BE1).size());
    }

    @Test
    void aMemberIsUnknownUntilEnoughProbesAgree() {
        serve();
        cluster.tick(Duration.ofMillis(20));
        assertEquals(1, n1.probesOf(Site.BE1).size());
        assertEquals(List.of(), n1.state().ownObservations(cluster.now()), "one success of rise 2 says nothing");
        cluster.run(Duration.ofSeconds(2));
        assertEquals(4, healths(Site.N1, Health.UP));
        assertEquals(
                1,
                n1.said("member=be1 address=10.20.0.2:8080 from=UNKNOWN to=UP").size());
    }

    @Test
    void aResultForADeletedMemberIsIgnored() {
        n1.deliver(new NodeEvent.ProbeFinished(77, 1, new ProbeResult(true, "200 in 2 ms")));
        cluster.run(Duration.ofSeconds(1));
        assertNotEquals(List.of(), n1.wanted(NodeEffect.Gossip.class));
        assertEquals(List.of(), n1.state().observations(cluster.now()));
    }

    /** Configures the site and runs it until the first probe. */
    private void serve() {
        Site.configure(cluster.log);
        cluster.log.elect(Site.N1);
        cluster.until(() -> !n1.wanted(NodeEffect.Probe.class).isEmpty(), Duration.ofSeconds(2));
    }

    private long healths(NodeId observer, Health health) {
        return cluster.node(observer).state().observations(cluster.now()).stream()
                .filter(seen -> seen.observer().equals(observer) && seen.health() == health)
                .count();
    }
}
