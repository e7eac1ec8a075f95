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
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.pipeline.WhenEmpty;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.EmptyPoolSite;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real switch does with packets what is predicted, and where it does not, it shows. */
class PacketTracerTest {
    private static final int GRE = 47;
    private static final Tuple WEB = new Tuple(
            DualStackSite.address(IpFamily.IPV4, 40, 10), DualStackSite.vip(IpFamily.IPV4, 1), Tuple.TCP, 4711, 80);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private PrivateSwitch ovs;

    @SuppressWarnings("NullAway.Init") // before each test
    private OvsBridge bridge;

    @BeforeEach
    void start() {
        ovs = new PrivateSwitch(directory);
        for (int port = 3; port <= 6; port++) {
            ovs.vsctl(
                    "add-port",
                    PrivateSwitch.BRIDGE,
                    "p" + port,
                    "--",
                    "set",
                    "interface",
                    "p" + port,
                    "type=dummy",
                    "ofport_request=" + port);
        }
        bridge = new OvsBridge(directory, PrivateSwitch.BRIDGE, Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    @AfterEach
    void stop() {
        ovs.close();
    }

    private void install(SwitchIntent intent) throws DatapathException {
        try (var datapath = new OvsDatapath(bridge, new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK))) {
            var held = datapath.readBack();
            datapath.install(FlowDelta.between(held.ownFlows(), Pipeline.flows(intent))
                    .withGroups(held.groups(), SlotFunctions.groups(intent)));
        }
    }

    private PacketPath agreed(SwitchIntent intent, Tuple tuple) throws DatapathException {
        PacketPath predicted = PacketPath.predicted(intent, tuple);
        PacketPath found = new PacketTracer(bridge).trace(intent, tuple);
        assertTrue(predicted.agrees(found), () -> tuple + ": " + predicted + " but " + found);
        assertEquals(predicted.drop().isEmpty(), found.drop().isEmpty(), found::toString);
        return found;
    }

    private static List<Tuple> tuples(int count) {
        Random random = new Random(11);
        List<Tuple> tuples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            IpFamily family = random.nextBoolean() ? IpFamily.IPV4 : IpFamily.IPV6;
            IpAddress client = DualStackSite.address(family, 40, 10 + random.nextInt(200));
            int vip = 1 + random.nextInt(3);
            int protocol = List.of(Tuple.TCP, Tuple.UDP, GRE).get(random.nextInt(3));
            int port = List.of(80, 53, 9000 + random.nextInt(101), 4711).get(random.nextInt(4));
            boolean ports = protocol != GRE;
            tuples.add(new Tuple(
                    client,
                    DualStackSite.vip(family, vip),
                    protocol,
                    ports ? 1024 + random.nextInt(60_000) : 0,
                    ports ? port : 0));
        }
        return tuples;
    }

    @ParameterizedTest
    @EnumSource(SlotFunction.class)
    void whatIsPredictedIsWhatTheSwitchDoes(SlotFunction function) throws DatapathException {
        SwitchIntent intent = DualStackSite.intent().by(function);
        install(intent);
        var sources = new TreeSet<PacketPath.Source>();
        int left = 0;
        for (Tuple tuple : tuples(60)) {
            PacketPath found = agreed(intent, tuple);
            sources.add(found.source());
            left += found.drop().isEmpty() ? 1 : 0;
        }
        assertTrue(left > 20 && left < 60, "too one-sided: " + left + " of 60 leave");
        assertEquals(function == SlotFunction.DP_HASH, sources.contains(PacketPath.Source.SENT));
    }

    /** ICMP, port 0 and addresses of nobody, also where a listener takes everything. */
    @Test
    void whatNoListenerTakesIsPredictedToo() throws DatapathException {
        SwitchIntent intent = DualStackSite.intent();
        install(intent);
        for (IpFamily family : IpFamily.values()) {
            IpAddress client = DualStackSite.address(family, 40, 10);
            for (Tuple tuple : List.of(
                    new Tuple(client, DualStackSite.vip(family, 3), 1, 0, 0),
                    new Tuple(client, DualStackSite.vip(family, 3), 58, 0, 0),
                    new Tuple(client, DualStackSite.vip(family, 2), Tuple.TCP, 4711, 0),
                    new Tuple(client, DualStackSite.vip(family, 3), Tuple.UDP, 4711, 0),
                    new Tuple(client, DualStackSite.address(family, 99, 200), Tuple.TCP, 4711, 80))) {
                agreed(intent, tuple);
            }
        }
    }

    /** Its listener is there, and leads nowhere yet. */
    @ParameterizedTest
    @EnumSource(SlotFunction.class)
    void aPoolThatIsNotInstalledIsPredictedToo(SlotFunction function) throws DatapathException {
        SwitchIntent whole = DualStackSite.intent().by(function);
        SwitchIntent intent = new SwitchIntent(
                whole.uplink(),
                whole.nextHops(),
                whole.segments(),
                whole.listeners(),
                List.of(),
                whole.routers(),
                function);
        install(intent);
        PacketPath found = agreed(intent, WEB);
        assertTrue(found.listener().isPresent());
        assertEquals("dropped by table 10: no flow of it matches", found.drop());
    }

    @ParameterizedTest
    @EnumSource(SlotFunction.class)
    void anEmptyPoolsListenersDoWhatIsPredicted(SlotFunction function) throws DatapathException {
        for (Function<IpFamily, WhenEmpty> policy : List.<Function<IpFamily, WhenEmpty>>of(
                _ -> new WhenEmpty.Drop(), _ -> new WhenEmpty.FailOpen(), EmptyPoolSite::fallback)) {
            SwitchIntent intent = EmptyPoolSite.empty(policy).by(function);
            install(intent);
            boolean leaves = !(policy.apply(IpFamily.IPV4) instanceof WhenEmpty.Drop);
            for (int port = 1; port <= 8; port++) {
                PacketPath found =
                        agreed(intent, new Tuple(WEB.source(), WEB.destination(), Tuple.TCP, 40_000 + port, 80));
                assertEquals(leaves, found.drop().isEmpty(), found::toString);
                assertEquals(policy.apply(IpFamily.IPV4) instanceof WhenEmpty.FailOpen, found.failsOpen());
            }
        }
    }

    @Test
    void aMemberWithoutAMacAddressIsNamedAndGetsNothing() throws DatapathException {
        SwitchIntent whole = DualStackSite.intent();
        SwitchIntent intent = new SwitchIntent(
                whole.uplink(),
                whole.nextHops(),
                whole.segments(),
                whole.listeners(),
                whole.pools().stream()
                        .map(pool -> pool.with(pool.members().stream()
                                .map(member -> new ServedMember(
                                        member.id(),
                                        member.address(),
                                        member.port(),
                                        member.segment(),
                                        Optional.empty()))
                                .toList()))
                        .toList(),
                whole.routers());
        install(intent);
        PacketPath found = agreed(intent, WEB);
        assertTrue(found.member().isPresent());
        assertEquals("dropped by table 21: the MAC address of its member is not known", found.drop());
    }

    @ParameterizedTest
    @EnumSource(SlotFunction.class)
    void aSlotThatSomebodyElseWroteShows(SlotFunction function) throws DatapathException {
        SwitchIntent intent = DualStackSite.intent().by(function);
        install(intent);
        PacketPath predicted = PacketPath.predicted(intent, WEB);
        ServedPool pool = intent.pool(predicted.pool().orElseThrow()).orElseThrow();
        int other = pool.members().stream()
                .mapToInt(ServedMember::id)
                .filter(id -> id != predicted.member().orElseThrow())
                .findFirst()
                .orElseThrow();
        ovs.ofctl(
                "mod-flows",
                "table=11,reg0=%d,reg1=%d,actions=set_field:%d->reg2,goto_table:13"
                        .formatted(pool.id(), predicted.slot().orElseThrow(), other));
        PacketPath found = new PacketTracer(bridge).trace(intent, WEB);
        assertEquals(predicted.slot(), found.slot());
        assertEquals(other, found.member().orElseThrow());
        assertFalse(predicted.agrees(found));
    }
}
