package io.quorumlb.ovs.install;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.packet.TransportFrame;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.Traffic;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import io.quorumlb.ovs.unixctl.ControlSocket;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many entries the packets of many connections make in the datapath. */
class MegaflowTest {
    private static final CookieOwner OURS = new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK);
    private static final int CONNECTIONS = 20_000;

    /** Each costs an entry; with all of them the test would take twice as long and show the same. */
    private static final int CONNECTIONS_BY_TABLE = 4_000;

    private static final int SLOTS = 1_024;
    private static final int POOL = 3;
    private static final IpAddress VIP = IpAddress.parse("10.99.0.10");
    private static final MacAddress OWN = MacAddress.parse("02:00:00:00:0a:01");
    private static final MacAddress ROUTER = MacAddress.parse("02:00:00:00:aa:01");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static SwitchIntent intent(SlotFunction function) {
        var member = TableMember.full(1, MemberKey.parse("10.20.0.2:8080"), 1);
        SlotTable table = SlotTable.build(HashAlgoVersion.V2, POOL, SLOTS, List.of(member));
        Digest digest = table.digest();
        SortedSet<IpAddress> own = new TreeSet<>(List.of(IpAddress.parse("10.10.0.11")));
        SortedMap<IpFamily, MacAddress> nextHops = new TreeMap<>();
        nextHops.put(IpFamily.IPV4, ROUTER);
        SortedMap<String, SwitchIntent.SegmentPort> segments = new TreeMap<>();
        segments.put("p2", new SwitchIntent.SegmentPort(new SwitchIntent.Port(2, 3, OWN, own), new TreeSet<>()));
        var served = new SwitchIntent.ServedMember(
                1, IpAddress.parse("10.20.0.2"), 8080, "p2", Optional.of(MacAddress.parse("02:00:00:00:be:01")));
        return new SwitchIntent(
                        new SwitchIntent.Port(1, 4, OWN, own),
                        nextHops,
                        segments,
                        List.of(new SwitchIntent.ServedListener(1, POOL, VIP, Traffic.port(Traffic.Transport.TCP, 80))),
                        List.of(new SwitchIntent.ServedPool(POOL, 1, digest, table, List.of(served))),
                        new TreeSet<>())
                .by(function);
    }

    private static List<Tuple> connections(int count) {
        List<Tuple> tuples = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            tuples.add(new Tuple(
                    new Ipv4Address(0x0a28_0000 + index / 1_000), VIP, Tuple.TCP, 20_000 + index % 1_000, 80));
        }
        return tuples;
    }

    /** Returns how many entries the datapath holds after the first packet of each connection has come in by the uplink. */
    private long entries(SlotFunction function, int count) throws DatapathException, UnixControlException {
        try (var datapath = new OvsDatapath(new OvsBridge(directory, PrivateSwitch.BRIDGE), OURS);
                var control = UnixControl.open(ControlSocket.of(directory, "ovs-vswitchd"), Duration.ofSeconds(30))) {
            SwitchIntent intent = intent(function);
            var held = datapath.readBack();
            datapath.install(FlowDelta.between(held.ownFlows(), Pipeline.flows(intent))
                    .withGroups(held.groups(), SlotFunctions.groups(intent)));
            control.call("revalidator/purge");
            for (Tuple tuple : connections(count)) {
                control.call("netdev-dummy/receive", "p1", frame(tuple));
                // The dummy port gives one packet in each round of the switch, and a round serves one call.
                control.call("version");
            }
            String entries = control.call("dpctl/dump-flows");
            return entries.lines()
                    .filter(line -> line.contains("eth_type(0x0800)"))
                    .count();
        }
    }

    private static String frame(Tuple tuple) {
        byte[] frame = new TransportFrame(
                        OWN,
                        ROUTER,
                        tuple.source(),
                        tuple.destination(),
                        tuple.protocol(),
                        tuple.sourcePort(),
                        tuple.destinationPort())
                .bytes();
        return HexFormat.of().formatHex(frame);
    }

    @Test
    void theDatapathsHashNeedsAnEntryForASlotTheTablesOneForAConnection()
            throws DatapathException, UnixControlException {
        try (var ovs = new PrivateSwitch(directory)) {
            ovs.vsctl("set", "Open_vSwitch", ".", "other_config:max-idle=120000", "other_config:max-revalidator=60000");
            long byDatapath = entries(SlotFunction.DP_HASH, CONNECTIONS);
            long byTable = entries(SlotFunction.MULTIPATH, CONNECTIONS_BY_TABLE);
            assertTrue(byDatapath <= SLOTS + 16, "entries by the datapath's hash: " + byDatapath);
            assertTrue(byTable >= CONNECTIONS_BY_TABLE, "entries by the table's hash: " + byTable);
        }
    }
}
