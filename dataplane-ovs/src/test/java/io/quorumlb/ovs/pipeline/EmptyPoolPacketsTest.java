package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client meets at a listener whose pool has no member left: real kernels, a real Open vSwitch. */
@Timeout(240)
class EmptyPoolPacketsTest {
    private static final int TRIES = 12;

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

    private static long failClosed(int pool) throws DatapathException {
        lab.ovs().appctl("revalidator/purge");
        try (var datapath = datapath()) {
            return datapath.readBack().own().values().stream()
                    .filter(installed -> Cookie.isKind(installed.flow().cookie(), Cookie.Kind.FAIL_CLOSE))
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
}
