package io.quorumlb.ovs.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.openflow.SampleFlows;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import io.quorumlb.ovs.unixctl.ControlSocket;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The datapath against a real Open vSwitch. */
class OvsDatapathTest {
    private static final CookieOwner OURS = new CookieOwner(0x5155_0000_0000_0000L, 0xffff_0000_0000_0000L);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static PrivateSwitch ovs;

    @BeforeAll
    static void start() {
        ovs = new PrivateSwitch(directory);
    }

    @AfterAll
    static void stop() {
        if (ovs != null) {
            ovs.close();
        }
    }

    @BeforeEach
    void empty() {
        ovs.ofctl("del-flows");
    }

    private static OvsDatapath open() {
        return new OvsDatapath(new OvsBridge(directory, PrivateSwitch.BRIDGE), OURS);
    }

    private static FlowDelta delta(OvsDatapath datapath, Collection<Flow> desired) throws DatapathException {
        return FlowDelta.between(datapath.readBack().ownFlows(), desired);
    }

    @Test
    void whatIsInstalledIsReadBackEqual() throws DatapathException {
        try (var datapath = open()) {
            assertFalse(datapath.connected());
            List<Flow> desired = SampleFlows.all();
            datapath.install(delta(datapath, desired));
            assertTrue(datapath.connected());
            assertEquals(desired.size(), datapath.readBack().own().size());
            assertTrue(delta(datapath, desired).isEmpty(), () -> "differs: " + unchecked(datapath, desired));
            assertEquals(desired.size(), datapath.flowModsSent());
            assertEquals(Set.of("br0", "p1", "p2"), datapath.readBack().ports().keySet());
        }
        try (var second = open()) {
            second.install(delta(second, SampleFlows.all()));
            assertEquals(0, second.flowModsSent(), "a restart that changes nothing sends nothing");
        }
    }

    private static String unchecked(OvsDatapath datapath, List<Flow> desired) {
        try {
            return delta(datapath, desired) + " from " + datapath.readBack();
        } catch (DatapathException failed) {
            return failed.getMessage();
        }
    }

    @Test
    void onlyTheDifferenceIsSent() throws DatapathException {
        try (var datapath = open()) {
            datapath.install(delta(datapath, slots(1024, 1)));
            long before = datapath.flowModsSent();
            var desired = new ArrayList<>(slots(1024, 1));
            desired.set(7, slots(1024, 2).get(7));
            desired.remove(100);
            datapath.install(delta(datapath, desired));
            assertEquals(before + 2, datapath.flowModsSent());
            assertTrue(delta(datapath, desired).isEmpty());
        }
    }

    @Test
    void aFlowAlteredByOthersIsSeen() throws DatapathException {
        try (var datapath = open()) {
            List<Flow> desired = slots(4, 1);
            datapath.install(delta(datapath, desired));
            ovs.ofctl("mod-flows", "table=11,reg0=1,reg1=2,actions=set_field:9->reg2,goto_table:12");
            assertEquals(List.of(desired.get(2)), delta(datapath, desired).add());
            ovs.ofctl("del-flows", "table=11,priority=100,reg0=1,reg1=3", "--strict");
            ovs.ofctl(
                    "add-flow",
                    "cookie=" + desired.get(1).cookie()
                            + ",table=11,priority=100,reg0=1,reg1=1,hard_timeout=600,"
                            + "actions=set_field:1->reg2,goto_table:12");
            ovs.ofctl(
                    "add-flow",
                    "cookie=" + desired.get(1).cookie() + ",table=11,priority=7,ipv6,ipv6_dst=fd00::1,actions=drop");
            FlowDelta repair = delta(datapath, desired);
            assertEquals(desired.subList(1, 4), repair.add());
            assertEquals(1, repair.delete().size());
            datapath.install(repair);
            assertTrue(delta(datapath, desired).isEmpty());
        }
    }

    @Test
    void flowsOfOthersAreListedAndKept() throws DatapathException {
        try (var datapath = open()) {
            ovs.ofctl(
                    "add-flow",
                    "cookie=0x7,table=11,priority=50,reg0=1,actions=learn(table=3),set_queue:1,controller(max_len=9)");
            datapath.install(delta(datapath, slots(4, 1)));
            // The key of a foreign flow, as a delete: the cookie protects it.
            FlowKey foreign = datapath.readBack().foreign().getFirst().flow().key();
            datapath.install(new FlowDelta(List.of(), List.of(foreign)));
            SwitchSnapshot snapshot = datapath.readBack();
            assertEquals(1, snapshot.foreign().size());
            assertEquals(0x7, snapshot.foreign().getFirst().flow().cookie());
            datapath.install(delta(datapath, List.of()));
            assertEquals(0, datapath.readBack().own().size());
            assertEquals(1, datapath.readBack().foreign().size());
        }
    }

    @Test
    void cachedDecisionsAreGoneWhenInstallReturns() throws DatapathException, UnixControlException {
        try (var datapath = open();
                var control = UnixControl.open(ControlSocket.of(directory, "ovs-vswitchd"), Duration.ofSeconds(5))) {
            for (int round = 0; round < 20; round++) {
                Action action = round % 2 == 0 ? new Action.Output(2) : new Action.InPort();
                var forward = new Flow(
                        new FlowKey(0, 1, Match.of().with(Field.IN_PORT, 1)),
                        OURS.value(),
                        List.of(Instruction.ApplyActions.of(action)));
                datapath.install(delta(datapath, List.of(forward)));
                // The decision cached in the round before must not be there any more, nor come back.
                String cached = control.call("dpctl/dump-flows", "dummy@ovs-dummy");
                String expected = round % 2 == 0 ? "actions:2" : "actions:1";
                assertTrue(
                        cached.lines()
                                .filter(line -> line.contains("actions:"))
                                .allMatch(line -> line.endsWith(expected)),
                        () -> "expected " + expected + ", cached " + cached);
                for (int source = 1; source <= 50; source++) {
                    var _ = control.call("netdev-dummy/receive", "p1", packet(source));
                }
                assertTrue(control.call("dpctl/dump-flows", "dummy@ovs-dummy").contains(expected));
            }
        }
    }

    private static String packet(int source) {
        return "in_port(1),eth(src=02:00:00:00:00:01,dst=02:00:00:00:00:02),eth_type(0x0800),ipv4(src=10.0.0." + source
                + ",dst=10.0.0.100,proto=6,tos=0,ttl=64,frag=no),tcp(src=1000,dst=80)";
    }

    @Test
    void aRefusedFlowIsNamedAndChangesNothing() throws DatapathException {
        try (var datapath = open()) {
            List<Flow> before = slots(16, 1);
            datapath.install(delta(datapath, before));
            var bad = new Flow(new FlowKey(12, 5, Match.of().with(Field.TCP_DST, 80)), OURS.value(), List.of());
            var desired = new ArrayList<>(slots(16, 2));
            desired.add(bad);
            FlowDelta change = delta(datapath, desired);
            var refusal = assertThrows(DatapathException.class, () -> datapath.install(change));
            assertEquals(DatapathException.Outcome.REFUSED, refusal.outcome());
            assertTrue(
                    refusal.getMessage().contains("BAD_MATCH/OFPBMC_BAD_PREREQ")
                            && refusal.getMessage().contains("table=12,priority=5,tcp_dst=80"),
                    refusal.getMessage());
            assertTrue(datapath.connected(), "a refusal does not cost the connection");
            assertTrue(delta(datapath, before).isEmpty());
        }
    }

    @Test
    void aRefusalInTheMidstOfALargeBundleStopsIt() throws DatapathException {
        try (var datapath = open()) {
            var desired = new ArrayList<>(slots(20000, 1));
            var backwards =
                    new Flow(new FlowKey(12, 5, Match.of()), OURS.value(), List.of(new Instruction.GotoTable(3)));
            desired.add(10, backwards);
            var refusal =
                    assertThrows(DatapathException.class, () -> datapath.install(new FlowDelta(desired, List.of())));
            assertEquals(DatapathException.Outcome.REFUSED, refusal.outcome());
            assertTrue(refusal.getMessage().contains("BAD_INSTRUCTION/OFPBIC_BAD_TABLE_ID"), refusal.getMessage());
            assertEquals(0, datapath.readBack().own().size());
            datapath.install(delta(datapath, slots(4, 1)));
            assertEquals(4, datapath.readBack().own().size());
        }
    }

    @Test
    void theLargestTableFits() throws DatapathException {
        try (var datapath = open()) {
            List<Flow> desired = slots(65536, 1);
            datapath.install(delta(datapath, desired));
            assertTrue(delta(datapath, desired).isEmpty());
            datapath.install(delta(datapath, List.of()));
            assertEquals(0, datapath.readBack().own().size());
        }
    }

    @Test
    void aRestartOfTheSwitchIsSurvived() throws DatapathException {
        try (var datapath = open()) {
            List<Flow> desired = slots(64, 1);
            datapath.install(delta(datapath, desired));
            ovs.kill();
            var gone = assertThrows(DatapathException.class, datapath::readBack);
            assertEquals(DatapathException.Outcome.UNREACHABLE, gone.outcome());
            assertFalse(datapath.connected());
            ovs.restart();
            assertEquals(0, datapath.readBack().own().size());
            datapath.install(delta(datapath, desired));
            assertTrue(delta(datapath, desired).isEmpty());
            ovs.kill();
            ovs.restart();
            assertEquals(desired.size(), delta(datapath, desired).add().size(), "the next call simply works");
        }
    }

    @Test
    void aFrozenSwitchIsAnErrorInTime() throws DatapathException {
        var bridge = new OvsBridge(directory, PrivateSwitch.BRIDGE, Duration.ofSeconds(2), Duration.ofMillis(200));
        try (var datapath = new OvsDatapath(bridge, OURS)) {
            var _ = datapath.readBack();
            ovs.freeze();
            try {
                long start = System.nanoTime();
                assertThrows(DatapathException.class, () -> datapath.install(new FlowDelta(slots(4, 1), List.of())));
                assertFalse(datapath.connected());
                assertTrue(System.nanoTime() - start < Duration.ofSeconds(10).toNanos());
            } finally {
                ovs.thaw();
            }
            assertEquals(0, datapath.readBack().foreign().size());
        }
    }

    @Test
    void aSwitchThatFallsSilentIsNoticedWithoutACall() throws DatapathException {
        var bridge = new OvsBridge(directory, PrivateSwitch.BRIDGE, Duration.ofSeconds(5), Duration.ofMillis(300));
        try (var datapath = new OvsDatapath(bridge, OURS)) {
            var _ = datapath.readBack();
            ovs.freeze();
            try {
                long limit = System.nanoTime() + Duration.ofSeconds(5).toNanos();
                while (datapath.connected() && System.nanoTime() < limit) {
                    LockSupport.parkNanos(1_000_000);
                }
                assertFalse(datapath.connected());
            } finally {
                ovs.thaw();
            }
            assertTrue(datapath.readBack().own().isEmpty());
            assertTrue(datapath.connected());
        }
    }

    @Test
    void anOldProtocolIsRefusedWithTheReason() throws DatapathException {
        ovs.vsctl("set", "bridge", PrivateSwitch.BRIDGE, "protocols=OpenFlow10,OpenFlow13");
        try (var datapath = open()) {
            var refusal = assertThrows(DatapathException.class, datapath::readBack);
            assertTrue(refusal.getMessage().contains("OpenFlow 1.5"), refusal.getMessage());
            assertEquals(DatapathException.Outcome.UNREACHABLE, refusal.outcome());
            ovs.vsctl("clear", "bridge", PrivateSwitch.BRIDGE, "protocols");
            assertTrue(datapath.readBack().own().isEmpty());
        } finally {
            ovs.vsctl("clear", "bridge", PrivateSwitch.BRIDGE, "protocols");
        }
    }

    /** Slot flows as the pipeline makes them: every slot goes to one member. */
    static List<Flow> slots(int count, int member) {
        var flows = new ArrayList<Flow>(count);
        for (int slot = 0; slot < count; slot++) {
            flows.add(new Flow(
                    new FlowKey(11, 100, Match.of().with(Field.REG0, 1).with(Field.REG1, slot)),
                    OURS.value() | 0x02_0001_000000L | slot,
                    List.of(
                            Instruction.ApplyActions.of(new Action.SetField(Field.REG2, member)),
                            new Instruction.GotoTable(12))));
        }
        return flows;
    }
}
