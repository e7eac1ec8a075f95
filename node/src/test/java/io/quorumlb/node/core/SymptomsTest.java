package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.Symptom.Kind;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchDatabase;
import io.quorumlb.ovs.pipeline.PipelineTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is planted in a running cluster is a symptom of the node that has it. */
class SymptomsTest {
    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n2 = cluster.node(Site.N2);

    private List<Symptom> symptoms(NodeId node) {
        return cluster.node(node).state().symptoms(cluster.now());
    }

    private List<Kind> kinds(NodeId node) {
        return symptoms(node).stream().map(Symptom::kind).toList();
    }

    private static SwitchDatabase database(
            Optional<SwitchDatabase.Bridge> bridge, SortedMap<String, SwitchDatabase.Port> ports, String... settings) {
        SortedMap<String, String> set = new TreeMap<>();
        List.of(settings).forEach(name -> set.put(name, "1"));
        return new SwitchDatabase("3.1.0", bridge, ports, set);
    }

    private static SwitchDatabase.Bridge bridge(
            String failMode, List<String> controllers, List<String> protocols, String disableInBand) {
        SortedMap<String, String> settings = new TreeMap<>();
        if (!disableInBand.isEmpty()) {
            settings.put("disable-in-band", disableInBand);
        }
        return new SwitchDatabase.Bridge("br-lb", "netdev", failMode, controllers, new TreeSet<>(protocols), settings);
    }

    @Test
    void whatTheBridgeMustSpeakAndMustNotDoIsTold() {
        String[] both = {"n-handler-threads", "n-revalidator-threads"};
        read(database(
                Optional.of(bridge("secure", List.of(), List.of("OpenFlow13", "OpenFlow14"), "true")),
                new TreeMap<>(),
                both));
        assertEquals(
                List.of(
                        new Symptom(
                                Kind.OPENFLOW_VERSION,
                                Site.N2,
                                "bridge br-lb: protocols is OpenFlow13,OpenFlow14, must have OpenFlow15: this node speaks no other version")),
                symptoms(Site.N2));
        for (String value : List.of("", "false")) {
            read(database(
                    Optional.of(bridge("secure", List.of(), List.of("OpenFlow15"), value)), new TreeMap<>(), both));
            assertEquals(
                    List.of(new Symptom(
                            Kind.IN_BAND,
                            Site.N2,
                            "bridge br-lb: other_config:disable-in-band is %s, must be true: the switch may add hidden flows of its own"
                                    .formatted(value.isEmpty() ? "not set" : value))),
                    symptoms(Site.N2));
        }
        read(database(Optional.of(bridge("secure", List.of(), List.of(), "true")), new TreeMap<>(), both));
        assertTrue(
                symptoms(Site.N2).getFirst().sentence().contains("protocols is not set"), symptoms(Site.N2)::toString);
    }

    private void read(SwitchDatabase database) {
        n2.deliver(new NodeEvent.DatabaseRead(database));
        cluster.run(Duration.ofMillis(100));
    }

    @Test
    void aHealthyClusterHasNone() {
        Site.NODES.forEach(node -> assertEquals(List.of(), symptoms(node)));
    }

    @Test
    void anAlteredFlowIsToldWithTheDifferenceForAnHour() {
        var key = new FlowKey(
                PipelineTable.SLOTS.id(),
                100,
                Match.of().with(Field.REG0, Site.WEB).with(Field.REG1, 17));
        Flow good = Optional.ofNullable(n2.ovs.flows.get(key)).orElseThrow();
        n2.ovs.flows.put(key, new Flow(key, good.cookie(), List.of()));
        n2.deliver(new NodeEvent.SwitchTouched());
        cluster.run(Duration.ofSeconds(10));
        List<Symptom> found = symptoms(Site.N2);
        assertEquals(List.of(Kind.FLOWS_ALTERED), kinds(Site.N2));
        String sentence = found.getFirst().sentence();
        assertTrue(
                sentence.matches("somebody changed our flows, the last time \\d s ago: altered .* was .*;"
                        + " put right since the controller's start: 0 deleted, 0 added, 1 altered"),
                sentence);
        assertEquals(List.of(), kinds(Site.N1));
        MonotonicTime later = cluster.now().plus(Duration.ofHours(1));
        assertEquals(List.of(), n2.state().symptoms(later));
    }

    @Test
    void whoKeepsChangingFlowsIsTold() {
        var key = new FlowKey(
                PipelineTable.SLOTS.id(),
                100,
                Match.of().with(Field.REG0, Site.WEB).with(Field.REG1, 17));
        for (int round = 0; round < 4; round++) {
            n2.ovs.flows.remove(key);
            n2.deliver(new NodeEvent.SwitchTouched());
            cluster.run(Duration.ofSeconds(3));
        }
        assertEquals(List.of(Kind.FLOWS_ALTERED, Kind.FLOWS_CONTESTED), kinds(Site.N2));
    }

    @Test
    void aForeignFlowIsToldWhileItIsThere() {
        var key = new FlowKey(PipelineTable.SLOTS.id(), 7, Match.of().with(Field.REG0, 9));
        n2.ovs.flows.put(key, new Flow(key, 0xdeadbeefL, List.of()));
        cluster.run(Duration.ofSeconds(5));
        assertEquals(List.of(Kind.FOREIGN_FLOWS), kinds(Site.N2));
        String sentence = symptoms(Site.N2).getFirst().sentence();
        assertTrue(sentence.startsWith("1 flows of others in the switch, first: "), sentence);
        n2.ovs.flows.remove(key);
        cluster.run(Duration.ofSeconds(5));
        assertEquals(List.of(), kinds(Site.N2));
    }

    @Test
    void aSwitchThatIsGoneIsTold() {
        n2.ovs.reachable = false;
        n2.deliver(new NodeEvent.SwitchLost("connection closed"));
        cluster.run(Duration.ofSeconds(2));
        assertTrue(kinds(Site.N2).contains(Kind.SWITCH_UNREACHABLE), kinds(Site.N2)::toString);
    }

    @Test
    void aPortThatIsGoneIsTold() {
        n2.ovs.ports.remove("x-p2");
        cluster.run(Duration.ofSeconds(5));
        assertEquals(
                List.of("port x-p2 of segment p2 is not in the switch"),
                symptoms(Site.N2).stream()
                        .filter(symptom -> symptom.kind() == Kind.PORT_MISSING)
                        .map(Symptom::sentence)
                        .toList());
    }

    @Test
    void whatIsWrongInTheDatabaseIsToldByKind() {
        String[] both = {"n-handler-threads", "n-revalidator-threads"};
        var good = bridge("secure", List.of(), List.of("OpenFlow15"), "true");
        read(database(Optional.of(good), new TreeMap<>(), both));
        assertEquals(List.of(), kinds(Site.N2));
        read(database(Optional.of(good), new TreeMap<>(), "n-handler-threads"));
        assertEquals(List.of(Kind.SWITCH_SETTING), kinds(Site.N2));
        assertEquals(
                "other_config:n-revalidator-threads is not set in Open vSwitch's database",
                symptoms(Site.N2).getFirst().sentence());
        read(database(Optional.empty(), new TreeMap<>(), both));
        assertEquals(List.of(Kind.BRIDGE_MISSING), kinds(Site.N2));
        var open = bridge("standalone", List.of("tcp:10.0.0.9:6653"), List.of("OpenFlow14", "OpenFlow15"), "true");
        read(database(Optional.of(open), new TreeMap<>(), both));
        assertEquals(List.of(Kind.FAIL_MODE, Kind.SECOND_CONTROLLER), kinds(Site.N2));
        SortedMap<String, SwitchDatabase.Port> ports = new TreeMap<>();
        ports.put("x-p2", new SwitchDatabase.Port("", Optional.empty(), "no such device", "", ""));
        ports.put("x-p3", new SwitchDatabase.Port("", Optional.of(3), "", "down", ""));
        read(database(Optional.of(good), ports, both));
        assertEquals(List.of(Kind.PORT_FAILED, Kind.PORT_FAILED), kinds(Site.N2));
        n2.deliver(new NodeEvent.DatabaseFailed("db.sock: no such file"));
        cluster.run(Duration.ofMillis(100));
        assertEquals(Kind.DATABASE_UNREACHABLE, kinds(Site.N2).getFirst());
    }

    @Test
    void anAnnouncerInTroubleIsTold() {
        n2.muted.add(NodeEffect.Announce.class);
        n2.deliver(new NodeEvent.AnnouncementRead(false, "BIRD cannot be reached at bird.ctl"));
        cluster.run(Duration.ofMillis(100));
        assertEquals(
                List.of(new Symptom(Kind.ANNOUNCER, Site.N2, "BIRD cannot be reached at bird.ctl")), symptoms(Site.N2));
    }

    @Test
    void aBlindNodeIsToldByItselfAndByTheLeader() {
        NodeDriver n3 = cluster.node(Site.N3);
        n3.answering.clear();
        cluster.until(() -> kinds(Site.N3).contains(Kind.BLIND), Duration.ofSeconds(10));
        cluster.until(() -> kinds(Site.N1).contains(Kind.BLIND), Duration.ofSeconds(10));
        assertEquals(Site.N3, symptoms(Site.N1).getFirst().node());
        assertEquals(List.of(), kinds(Site.N2));
    }

    @Test
    void aLeaderThatHearsNobodyIsTold() {
        cluster.node(Site.N1).muted.add(NodeEffect.HandOver.class);
        cluster.cut.addAll(List.of("n1-n2", "n1-n3"));
        cluster.until(() -> kinds(Site.N1).contains(Kind.DEAF_LEADER), Duration.ofSeconds(10));
        assertEquals(
                List.of("the leader hears 1 of 3 voters, a majority is 2"),
                symptoms(Site.N1).stream()
                        .filter(symptom -> symptom.kind() == Kind.DEAF_LEADER)
                        .map(Symptom::sentence)
                        .toList());
        cluster.cut.clear();
        cluster.until(() -> !kinds(Site.N1).contains(Kind.DEAF_LEADER), Duration.ofSeconds(10));
    }
}
