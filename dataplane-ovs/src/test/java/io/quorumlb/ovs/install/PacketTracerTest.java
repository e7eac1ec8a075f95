package io.quorumlb.ovs.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.PacketPath;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real switch does with packets what is predicted, and where it does not, it shows. */
class PacketTracerTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static List<Tuple> tuples(int count) {
        var random = new Random(11);
        List<Tuple> tuples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            IpFamily family = random.nextBoolean() ? IpFamily.IPV4 : IpFamily.IPV6;
            IpAddress client = DualStackSite.address(family, 40, 10 + random.nextInt(200));
            int vip = 1 + random.nextInt(3);
            int protocol = List.of(Tuple.TCP, Tuple.UDP, 47).get(random.nextInt(3));
            int port = List.of(80, 53, 9000 + random.nextInt(101), 4711).get(random.nextInt(4));
            boolean ports = protocol != 47;
            tuples.add(new Tuple(
                    client,
                    DualStackSite.vip(family, vip),
                    protocol,
                    ports ? 1024 + random.nextInt(60_000) : 0,
                    ports ? port : 0));
        }
        return tuples;
    }

    @Test
    void whatIsPredictedIsWhatTheSwitchDoes() throws DatapathException {
        try (var ovs = new PrivateSwitch(directory)) {
            for (int port = 3; port <= 6; port++) {
                ovs.vsctl(
                        "add-port",
                        "br0",
                        "p" + port,
                        "--",
                        "set",
                        "interface",
                        "p" + port,
                        "type=dummy",
                        "ofport_request=" + port);
            }
            var bridge = new OvsBridge(directory, "br0", Duration.ofSeconds(30), Duration.ofSeconds(30));
            for (SlotFunction function : SlotFunction.values()) {
                SwitchIntent intent = DualStackSite.intent().by(function);
                install(bridge, intent);
                var sources = new TreeSet<PacketPath.Source>();
                int left = 0;
                for (Tuple tuple : tuples(60)) {
                    PacketPath predicted = PacketPath.predicted(intent, tuple);
                    PacketPath found = new PacketTracer(bridge).trace(intent, tuple);
                    assertTrue(predicted.agrees(found), () -> tuple + ": " + predicted + " but " + found);
                    assertEquals(predicted.drop().isEmpty(), found.drop().isEmpty(), () -> found.toString());
                    sources.add(found.source());
                    left += found.drop().isEmpty() ? 1 : 0;
                }
                assertTrue(left > 20 && left < 60, "too one-sided: " + left + " of 60 leave");
                assertEquals(function == SlotFunction.DP_HASH, sources.contains(PacketPath.Source.SENT));
            }
            SwitchIntent intent = DualStackSite.intent();
            install(bridge, intent);
            Tuple tuple = new Tuple(
                    DualStackSite.address(IpFamily.IPV4, 40, 10),
                    DualStackSite.vip(IpFamily.IPV4, 1),
                    Tuple.TCP,
                    4711,
                    80);
            PacketPath predicted = PacketPath.predicted(intent, tuple);
            int slot = predicted.slot().orElseThrow();
            int other = intent.pools().stream()
                    .filter(pool -> pool.id() == predicted.pool().orElseThrow())
                    .flatMap(pool -> pool.members().stream())
                    .mapToInt(SwitchIntent.ServedMember::id)
                    .filter(id -> id != predicted.member().orElseThrow())
                    .findFirst()
                    .orElseThrow();
            ovs.ofctl(
                    "mod-flows",
                    "table=11,reg0=%d,reg1=%d,actions=set_field:%d->reg2,goto_table:13"
                            .formatted(predicted.pool().orElseThrow(), slot, other));
            PacketPath found = new PacketTracer(bridge).trace(intent, tuple);
            assertEquals(predicted.slot(), found.slot());
            assertEquals(other, found.member().orElseThrow());
            assertFalse(predicted.agrees(found));
        }
    }

    private static void install(OvsBridge bridge, SwitchIntent intent) throws DatapathException {
        try (var datapath = new OvsDatapath(bridge, new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK))) {
            var held = datapath.readBack();
            datapath.install(FlowDelta.between(held.ownFlows(), Pipeline.flows(intent))
                    .withGroups(held.groups(), SlotFunctions.groups(intent)));
        }
    }
}
