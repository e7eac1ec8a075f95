package io.quorumlb.node.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.node.core.GatewayReport;
import io.quorumlb.node.core.InstallState;
import io.quorumlb.node.core.NeighbourKey;
import io.quorumlb.node.core.NeighbourView;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.node.core.PoolReport;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.core.ProbeTarget;
import io.quorumlb.node.core.Rated;
import io.quorumlb.node.core.RepairCounts;
import io.quorumlb.node.core.SwitchReport;
import io.quorumlb.node.core.TrafficView;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.pipeline.Count;
import io.quorumlb.ovs.pipeline.Counted;
import io.quorumlb.ovs.pipeline.DropCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeMetersTest {
    private final AtomicReference<Optional<NodeReport>> report = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<TrafficView>> traffic = new AtomicReference<>(Optional.empty());
    private final TreeMap<String, Long> peersRefused = new TreeMap<>();
    private final TreeMap<String, Long> events = new TreeMap<>();
    private final AtomicLong gossipDropped = new AtomicLong();
    private final NodeMeters meters = new NodeMeters(
            report::get,
            new NodeCounters(
                    () -> peersRefused,
                    () -> 6,
                    () -> 600,
                    gossipDropped::get,
                    () -> 3,
                    () -> 4,
                    () -> 5,
                    () -> List.of(
                            neighbour("10.20.0.2", NeighbourView.State.REACHABLE, 1500),
                            neighbour("10.20.0.3", NeighbourView.State.CONFLICT, 300)),
                    () -> 7,
                    traffic::get,
                    () -> 2,
                    () -> 8,
                    () -> events));

    private static NeighbourView neighbour(String address, NeighbourView.State state, long confirmedMillis) {
        return new NeighbourView(
                new NeighbourKey("p2", Ipv4Address.parse(address)),
                Optional.of(new MacAddress(2)),
                NeighbourView.Source.NETWORK,
                state,
                Optional.empty(),
                Duration.ofSeconds(60),
                Optional.of(Duration.ofMillis(confirmedMillis)));
    }

    @Test
    void showsNeighbours() {
        String text = meters.scrape();
        assertLine(text, "quorumlb_neighbours{state=\"reachable\"} 1.0");
        assertLine(text, "quorumlb_neighbours{state=\"conflict\"} 1.0");
        assertLine(text, "quorumlb_neighbours{state=\"waiting\"} 0.0");
        assertLine(text, "quorumlb_neighbour_age_seconds 1.5");
        assertLine(text, "quorumlb_neighbour_changes_total 7.0");
    }

    private static Rated packets(long packets) {
        return new Rated(new Count(packets, packets * 100), 0, 0);
    }

    private static TrafficView traffic(Listener... listeners) {
        var be1 = new Member(
                3, 1, 1, "be1", new MemberKey(Ipv4Address.parse("10.20.0.2"), 8080), 100, AdminState.ENABLED);
        List<TrafficView.OfListener> ofListeners = new ArrayList<>();
        List<TrafficView.OfMember> ofMembers = new ArrayList<>();
        for (Listener listener : listeners) {
            ofListeners.add(new TrafficView.OfListener(listener, packets(10 + listener.id()), packets(20)));
            ofMembers.add(new TrafficView.OfMember(listener, be1, packets(7), packets(8)));
        }
        return new TrafficView(
                Duration.ofSeconds(1),
                ofListeners,
                new TreeMap<>(),
                ofMembers,
                List.of(
                        new TrafficView.OfDrop(
                                new Counted.Dropped(DropCause.NO_MAC, 21, 1, 3), "web", "be1", packets(4)),
                        new TrafficView.OfDrop(
                                new Counted.Dropped(DropCause.UNKNOWN_PORT, 8, 0, 0), "", "", packets(5))),
                packets(6));
    }

    @Test
    void showsWhatTheSwitchCountedUntilItsObjectIsGone() {
        Ipv4Address vip = Ipv4Address.parse("10.99.0.10");
        var http = new Listener(1, "http", vip, Protocol.TCP, 80, 1);
        var dns = new Listener(2, "dns", vip, Protocol.UDP, 53, 1);
        assertFalse(meters.scrape().contains("quorumlb_listener"));
        traffic.set(Optional.of(traffic(http, dns)));
        String text = meters.scrape();
        String of = "listener=\"http\",port=\"80\",protocol=\"tcp\",vip=\"10.99.0.10\"} ";
        assertLine(text, "quorumlb_listener_packets_total{direction=\"in\"," + of + "11.0");
        assertLine(text, "quorumlb_listener_bytes_total{direction=\"out\"," + of + "2000.0");
        String ofMember =
                "listener=\"http\",member=\"be1\",pool=\"1\",port=\"80\",protocol=\"tcp\",vip=\"10.99.0.10\"} ";
        assertLine(text, "quorumlb_member_packets_total{direction=\"in\"," + ofMember + "7.0");
        assertLine(text, "quorumlb_member_bytes_total{direction=\"out\"," + ofMember + "800.0");
        assertLine(text, "quorumlb_dropped_packets_total{cause=\"no_mac\",member=\"be1\",pool=\"1\",table=\"21\"} 4.0");
        assertLine(
                text, "quorumlb_dropped_packets_total{cause=\"unknown_port\",member=\"\",pool=\"\",table=\"8\"} 5.0");
        assertLine(text, "quorumlb_echoed_packets_total 6.0");
        assertTrue(text.contains("listener=\"dns\""), text);
        traffic.set(Optional.of(traffic(http)));
        assertFalse(meters.scrape().contains("listener=\"dns\""), "a deleted listener has no meters");
        traffic.set(Optional.of(traffic(http, dns)));
        assertTrue(meters.scrape().contains("listener=\"dns\""), "and another one of its name has");
    }

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void showsTheReport() {
        report.set(Optional.of(report(new Leadership.Leading(7), InstallState.CONVERGED)));
        String text = meters.scrape();

        assertLine(text, "quorumlb_role{role=\"leader\"} 1.0");
        assertLine(text, "quorumlb_role{role=\"follower\"} 0.0");
        assertLine(text, "quorumlb_term 7.0");
        assertLine(text, "quorumlb_applied_index 41.0");
        assertLine(text, "quorumlb_pool_generation{pool=\"1\"} 5.0");
        assertLine(text, "quorumlb_pool_converged{pool=\"1\"} 1.0");
        assertLine(text, "quorumlb_peer_age_seconds{peer=\"n2\"} 0.25");
        assertLine(text, "quorumlb_announced 1.0");
        assertLine(text, "quorumlb_problems 1.0");
        assertLine(text, "quorumlb_switch_connected 1.0");
        assertLine(text, "quorumlb_switch_read_back_age_seconds 1.5");
        assertLine(text, "quorumlb_foreign_flows 2.0");
        assertLine(text, "quorumlb_repaired_flows_total{kind=\"deleted\"} 5.0");
        assertLine(text, "quorumlb_repaired_flows_total{kind=\"added\"} 1.0");
        assertLine(text, "quorumlb_repaired_flows_total{kind=\"altered\"} 2.0");
        assertLine(text, "quorumlb_switch_contested 1.0");
        assertLine(text, "quorumlb_switch_restarts_total 3.0");
        assertLine(text, "quorumlb_switch_last_outage_seconds 0.25");
        assertLine(text, "quorumlb_flow_mods_total 1040.0");
        assertLine(text, "quorumlb_fail_closed_packets_total 9.0");
    }

    @Test
    void followsTheReport() {
        report.set(Optional.of(report(new Leadership.Leading(7), InstallState.CONVERGED)));
        meters.scrape();
        report.set(Optional.of(report(new Leadership.Following(8, new NodeId("n2")), InstallState.INSTALLING)));
        String text = meters.scrape();

        assertLine(text, "quorumlb_role{role=\"leader\"} 0.0");
        assertLine(text, "quorumlb_role{role=\"follower\"} 1.0");
        assertLine(text, "quorumlb_term 8.0");
        assertLine(text, "quorumlb_pool_converged{pool=\"1\"} 0.0");
    }

    @Test
    void poolsAndPeersThatAreGoneAreNotShown() {
        report.set(Optional.of(report(new Leadership.Searching(7), InstallState.CONVERGED)));
        meters.scrape();
        NodeReport last = report.get().orElseThrow();
        report.set(Optional.of(new NodeReport(
                last.leadership(),
                42,
                last.datapath(),
                List.of(),
                false,
                "no pool",
                "",
                false,
                new TreeMap<>(),
                GatewayReport.NONE,
                Optional.empty(),
                List.of())));
        String text = meters.scrape();

        assertFalse(text.contains("pool=\"1\""), text);
        assertFalse(text.contains("peer=\"n2\""), text);
        assertLine(text, "quorumlb_role{role=\"searching\"} 1.0");
    }

    @Test
    void beforeTheFirstReportNothingIsPretended() {
        String text = meters.scrape();
        assertLine(text, "quorumlb_applied_index NaN");
        assertLine(text, "quorumlb_switch_connected NaN");
        assertFalse(text.contains("quorumlb_role{"), text);
    }

    @Test
    void showsWhatThePartsCount() {
        gossipDropped.set(2);
        meters.scrape();
        events.put("member-health", 5L);
        peersRefused.put("cluster id", 6L);
        String text = meters.scrape();

        assertLine(text, "quorumlb_gossip_sent_total 6.0");
        assertLine(text, "quorumlb_rejected_packets_total 8.0");
        assertLine(text, "quorumlb_gossip_sent_bytes_total 600.0");
        assertLine(text, "quorumlb_gossip_dropped_total 2.0");
        assertLine(text, "quorumlb_events_refused_total 3.0");
        assertLine(text, "quorumlb_probes_refused_total 4.0");
        assertLine(text, "quorumlb_rechecks_refused_total 5.0");
        assertLine(text, "quorumlb_events_total{code=\"member-health\"} 5.0");
        assertLine(text, "quorumlb_peers_refused_total{reason=\"cluster id\"} 6.0");
        peersRefused.put("cluster id", 7L);
        assertLine(meters.scrape(), "quorumlb_peers_refused_total{reason=\"cluster id\"} 7.0");
    }

    @Test
    void timesProbesAndSteps() {
        var target = new ProbeTarget(
                1,
                1,
                MemberKey.parse("10.20.0.2:8080"),
                new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3),
                Ipv4Address.parse("10.20.0.11"));
        var good = new ProbeResult(true, "200 in 2 ms");
        var bad = new ProbeResult(false, "503 in 1 ms");
        assertEquals(good, meters.timing(_ -> good).apply(target));
        assertEquals(bad, meters.timing(_ -> bad).apply(target));
        assertEquals(bad, meters.timing(_ -> bad).apply(target));
        meters.stepTook(Duration.ofMillis(3));
        String text = meters.scrape();

        assertLine(text, "quorumlb_probe_seconds_count{result=\"success\"} 1");
        assertLine(text, "quorumlb_probe_seconds_count{result=\"failure\"} 2");
        assertLine(text, "quorumlb_step_seconds_count 1");
        assertLine(text, "quorumlb_step_seconds_bucket{le=\"0.005\"} 1");
        assertLine(text, "quorumlb_step_seconds_bucket{le=\"0.002\"} 0");
    }

    @Test
    void showsTheJvm() {
        String text = meters.scrape();
        assertTrue(text.contains("\njvm_memory_used_bytes{"), text);
        assertTrue(text.contains("\nprocess_uptime_seconds "), text);
    }

    private static NodeReport report(Leadership leadership, InstallState state) {
        var pool = new PoolReport(1, 5, Optional.empty(), Optional.empty(), Optional.empty(), state, "", List.of());
        var peers = new TreeMap<>(Map.of(new NodeId("n2"), Duration.ofMillis(250)));
        return new NodeReport(
                leadership,
                41,
                new SwitchReport(
                        true,
                        false,
                        "",
                        "3.1.0",
                        "netdev",
                        2,
                        new RepairCounts(5, 1, 2),
                        true,
                        1040,
                        9,
                        3,
                        Duration.ofMillis(250),
                        Duration.ofMillis(1500),
                        Optional.empty()),
                List.of(pool),
                true,
                "",
                "",
                false,
                peers,
                GatewayReport.NONE,
                Optional.empty(),
                List.of("clock steps"));
    }

    private static void assertLine(String text, String line) {
        assertTrue(text.lines().anyMatch(line::equals), () -> "no line '" + line + "' in\n" + text);
    }
}
