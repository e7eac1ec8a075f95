package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.testbed.DualStackLab;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.DualStackSite.Role;
import io.quorumlb.ovs.testbed.EmptyPoolSite;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client meets at a listener whose pool has no member left: real kernels, a real Open vSwitch. */
@Timeout(240)
class EmptyPoolPacketsTest {
    private static final int TRIES = 12;
    private static final int ROUNDS = 6;
    private static final String REFUSED = "nothing ConnectionRefusedError [Errno 111] Connection refused";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static DualStackLab lab;

    @BeforeAll
    static void start() {
        lab = new DualStackLab(directory);
    }

    @AfterAll
    static void stop() {
        if (lab != null) {
            lab.close();
        }
    }

    private static OvsDatapath datapath() {
        return new OvsDatapath(
                new OvsBridge(directory, PrivateSwitch.BRIDGE), new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK));
    }

    private static void install(SwitchIntent intent) throws DatapathException {
        try (var datapath = datapath()) {
            datapath.install(FlowDelta.between(datapath.readBack().ownFlows(), Pipeline.flows(intent)));
        }
    }

    /** All tries at the first VIP are refused within half a second; on a machine without time to spare, not at once. */
    private static void assertRefused(IpFamily family, String protocol, int port) {
        List<String> lines = List.of();
        for (int round = 0; round < ROUNDS; round++) {
            lines = lab.ask(
                    lab.router(),
                    protocol,
                    DualStackSite.address(family, DualStackLab.CLIENT_NETWORK, 1),
                    DualStackSite.vip(family, 1),
                    port,
                    TRIES);
            if (lines.equals(Collections.nCopies(TRIES, REFUSED))) {
                return;
            }
        }
        throw new AssertionError("%s port %d: %s".formatted(protocol, port, lines));
    }

    private static long failClosed(int pool) throws DatapathException {
        return counted(Cookie.Kind.FAIL_CLOSE, pool);
    }

    private static long counted(Cookie.Kind kind, int pool) throws DatapathException {
        lab.ovs().appctl("revalidator/purge");
        try (var datapath = datapath()) {
            return datapath.readBack().own().values().stream()
                    .filter(installed -> Cookie.isKind(installed.flow().cookie(), kind))
                    .filter(installed -> Cookie.pool(installed.flow().cookie()) == pool)
                    .mapToLong(InstalledFlow::packets)
                    .sum();
        }
    }

    /** Returns who answered at TCP port 80 of the first VIP, by address; "nothing" stands for a try without answer. */
    private static Set<String> answers(IpFamily family) {
        List<String> lines = lab.ask(
                lab.router(),
                "tcp",
                DualStackSite.address(family, DualStackLab.CLIENT_NETWORK, 1),
                DualStackSite.vip(family, 1),
                80,
                TRIES);
        assertEquals(TRIES, lines.size());
        return lines.stream()
                .map(line -> line.startsWith("nothing") ? "nothing" : line.split(" ", -1)[1])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> members(IpFamily family, Role role) {
        return DualStackSite.members().stream()
                .filter(member -> member.family() == family && member.role() == role)
                .map(DualStackSite.Site::address)
                .map(IpAddress::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void dropGivesNoAnswerAndIsCounted(IpFamily family) throws Exception {
        install(EmptyPoolSite.empty(_ -> new WhenEmpty.Drop()));
        long before = failClosed(DualStackSite.pool(family, Role.PORTS));
        assertEquals(Set.of("nothing"), answers(family));
        assertTrue(failClosed(DualStackSite.pool(family, Role.PORTS)) - before >= TRIES);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void failOpenIsAnsweredByTheMembersThatAreNotUp(IpFamily family) throws Exception {
        install(EmptyPoolSite.empty(_ -> new WhenEmpty.FailOpen()));
        assertEquals(members(family, Role.PORTS), answers(family));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void fallbackIsAnsweredByTheOtherPoolsMemberUntilTheOwnAreBack(IpFamily family) throws Exception {
        Function<IpFamily, WhenEmpty> policy = EmptyPoolSite::fallback;
        install(EmptyPoolSite.serving(policy));
        assertEquals(members(family, Role.PORTS), answers(family));
        install(EmptyPoolSite.empty(policy));
        assertEquals(members(family, Role.ALL_PORTS), answers(family));
        install(EmptyPoolSite.serving(policy));
        assertEquals(members(family, Role.PORTS), answers(family));
    }

    /** A client that is told nothing gives up after half a second with another error. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void rejectIsToldToClientsOfTcpAndUdpUntilMembersAreBack(IpFamily family) throws Exception {
        try (var node = datapath()) {
            Function<IpFamily, WhenEmpty> policy = _ -> new WhenEmpty.Reject();
            List<Flow> empty = Pipeline.flows(EmptyPoolSite.empty(policy));
            node.install(FlowDelta.between(node.readBack().ownFlows(), empty));
            assertRefused(family, "tcp", 80);
            assertRefused(family, "udp", 53);
            assertRefused(family, "udp", 9001);
            assertTrue(node.rejections() >= 3L * TRIES);
            assertTrue(
                    FlowDelta.between(node.readBack().ownFlows(), empty).isEmpty(),
                    "what was read back is what was wanted");
            node.install(FlowDelta.between(node.readBack().ownFlows(), Pipeline.flows(EmptyPoolSite.serving(policy))));
            assertTrue(answers(family).containsAll(members(family, Role.PORTS)));
        }
    }

    @Test
    void aFloodIsAnsweredUpToTheBoundAndCountedAsAWhole() throws Exception {
        IpFamily family = IpFamily.IPV4;
        int pool = DualStackSite.pool(family, Role.PORTS);
        try (var node = datapath()) {
            node.install(FlowDelta.between(
                    node.readBack().ownFlows(), Pipeline.flows(EmptyPoolSite.empty(_ -> new WhenEmpty.Reject()))));
            long before = counted(Cookie.Kind.REJECT, pool);
            String[] flood = lab.ask(
                            lab.router(),
                            "flood",
                            DualStackSite.address(family, DualStackLab.CLIENT_NETWORK, 1),
                            DualStackSite.vip(family, 1),
                            53,
                            15_000)
                    .getFirst()
                    .split(" ", -1);
            long sent = Long.parseLong(flood[0]);
            double seconds = Double.parseDouble(flood[1]);
            // A busy machine loses some before the switch sees them.
            long counted = counted(Cookie.Kind.REJECT, pool) - before;
            long answered = node.rejections();
            assertTrue(counted <= sent && counted > sent / 2, () -> "%d of %d counted".formatted(counted, sent));
            long bound = (long)
                    (SlotSets.rejectMeter().burst() + SlotSets.rejectMeter().rate() * (seconds + 1));
            assertTrue(
                    answered > 100 && answered <= counted && answered <= bound,
                    () -> "%d of %d in %s s answered".formatted(answered, sent, seconds));
        }
    }

    /** The switch deletes the rows with the meter; that they are missing is all that a node needs to see. */
    @Test
    void aMeterThatSomebodyDeletesIsBackWithTheRowsThatItTookAlong() throws Exception {
        IpFamily family = IpFamily.IPV6;
        List<Flow> desired = Pipeline.flows(EmptyPoolSite.empty(_ -> new WhenEmpty.Reject()));
        try (var node = datapath()) {
            node.install(FlowDelta.between(node.readBack().ownFlows(), desired));
            lab.ovs().ofctl("del-meters");
            FlowDelta missing = FlowDelta.between(node.readBack().ownFlows(), desired);
            assertEquals(IpFamily.values().length, missing.add().size());
            node.install(missing);
            assertRefused(family, "tcp", 80);
        }
    }

    @Test
    void aMeterThatIsThereGetsItsBound() throws Exception {
        lab.ovs().ofctl("del-meters");
        lab.ovs().ofctl("add-meter", "meter=0x5155,pktps,burst,bands=type=drop,rate=1,burst_size=1");
        install(DualStackSite.intent());
        install(EmptyPoolSite.empty(_ -> new WhenEmpty.Reject()));
        String meters = lab.ovs().ofctl("dump-meters");
        assertTrue(meters.contains("meter=20821 pktps burst bands=") && meters.contains("rate=1000"), meters);
    }
}
