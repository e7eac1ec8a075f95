package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.hash.SlotFormula;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.testbed.DualStackLab;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.DualStackSite.Role;
import io.quorumlb.ovs.testbed.Namespace;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real packets of real kernels through a real Open vSwitch, the same in both families. */
@Timeout(240)
class RealPacketsTest {
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int TRIES = 24;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static DualStackLab lab;

    @BeforeAll
    static void start() throws DatapathException {
        lab = new DualStackLab(directory);
        try (var datapath = datapath()) {
            datapath.install(FlowDelta.between(datapath.readBack().ownFlows(), Pipeline.flows(DualStackSite.intent())));
        }
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

    /** Returns the packets that flows counted, as the switch knows them now. */
    private static long counted(Predicate<InstalledFlow> flows) throws Exception {
        lab.ovs().appctl("revalidator/purge");
        try (var datapath = datapath()) {
            return datapath.readBack().own().values().stream()
                    .filter(flows)
                    .mapToLong(InstalledFlow::packets)
                    .sum();
        }
    }

    private static Predicate<InstalledFlow> kind(Cookie.Kind kind) {
        return installed -> Cookie.isKind(installed.flow().cookie(), kind);
    }

    private static IpAddress client(IpFamily family) {
        return DualStackSite.address(family, DualStackLab.CLIENT_NETWORK, 1);
    }

    private static DualStackSite.Site only(IpFamily family, Role role) {
        return DualStackSite.members().stream()
                .filter(member -> member.family() == family && member.role() == role)
                .findFirst()
                .orElseThrow();
    }

    /** Asks a port of a VIP many times; every answer must be that of the owner of the slot, asked on the right port. */
    private static Set<Integer> served(IpFamily family, Role role, int protocol, int vip, int port, int memberPort) {
        IpAddress address = DualStackSite.vip(family, vip);
        int pool = DualStackSite.pool(family, role);
        Set<Integer> members = new TreeSet<>();
        for (String line :
                lab.ask(lab.router(), protocol == TCP ? "tcp" : "udp", client(family), address, port, TRIES)) {
            int ownPort = line.startsWith("nothing") ? 0 : Integer.parseInt(line.substring(0, line.indexOf(' ')));
            var tuple = new Tuple(client(family), address, protocol, ownPort, port);
            int slot =
                    SlotFormula.slot(SlotFunction.MULTIPATH, HashFields.FIVE_TUPLE, tuple, pool, DualStackSite.SLOTS);
            int owner = DualStackSite.table(family, role).owner(slot);
            members.add(owner);
            IpAddress member = DualStackSite.members().get(owner - 1).address();
            assertEquals(
                    "%d %s %d %s %d".formatted(ownPort, member, memberPort, client(family), ownPort),
                    line,
                    () -> "asked %s port %d by protocol %d".formatted(address, port, protocol));
        }
        return members;
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void everyKindOfListenerIsServedByTheOwnerOfTheSlot(IpFamily family) {
        assertEquals(2, served(family, Role.PORTS, TCP, 1, 80, 8080).size(), "both members serve");
        assertEquals(2, served(family, Role.PORTS, UDP, 1, 53, 5353).size(), "both members serve");
        for (int port : List.of(9000, 9012, 9019, 9100)) {
            served(family, Role.PORTS, TCP, 1, port, port);
        }
        for (int port : List.of(9000, 9004)) {
            served(family, Role.PORTS, UDP, 1, port, port);
        }
        for (int port : List.of(80, 9012, 12345)) {
            served(family, Role.ALL_PORTS, TCP, 2, port, port);
        }
        for (int port : List.of(53, 12345)) {
            served(family, Role.ALL_PORTS, UDP, 2, port, port);
            served(family, Role.EVERYTHING, UDP, 3, port, port);
        }
        served(family, Role.EVERYTHING, TCP, 3, 12345, 12345);
        served(family, Role.PORTS, TCP, 3, 80, 8081);
        assertEquals(
                Collections.nCopies(
                        5,
                        "0 %s %s %s 0"
                                .formatted(
                                        only(family, Role.EVERYTHING).address(),
                                        DualStackLab.PROTOCOL,
                                        client(family))),
                lab.ask(lab.router(), "ip", client(family), DualStackSite.vip(family, 3), DualStackLab.PROTOCOL, 5));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void pingsOfVipsGatewaysAndTheNodeItselfAreAnswered(IpFamily family) {
        for (int bytes : List.of(0, 1, 56, 1400)) {
            for (int vip = 1; vip <= 3; vip++) {
                echoed(lab.router(), client(family), DualStackSite.vip(family, vip), bytes);
            }
            for (IpAddress gateway : DualStackSite.gateways(family, 20)) {
                echoed(lab.host(20), only(family, Role.PORTS).address(), gateway, bytes);
            }
        }
        echoed(lab.router(), DualStackSite.address(family, 10, 1), DualStackSite.address(family, 10, 11), 56);
        echoed(lab.host(20), only(family, Role.PORTS).address(), DualStackSite.address(family, 20, 11), 56);
    }

    private static void echoed(Namespace from, IpAddress source, IpAddress destination, int bytes) {
        assertEquals(
                Collections.nCopies(3, "0 echoed"),
                lab.ask(from, "ping", source, destination, bytes, 3),
                () -> "%d bytes from %s to %s".formatted(bytes, source, destination));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void whatIsDroppedIsCountedByItsCause(IpFamily family) throws Exception {
        long fragments = counted(kind(Cookie.Kind.FRAGMENT));
        IpAddress first = DualStackSite.vip(family, 1);
        List<String> large = lab.ask(lab.router(), "udp", client(family), first, 53, 2, 3000);
        assertTrue(large.stream().allMatch(line -> line.startsWith("nothing")), large::toString);
        assertEquals(6, counted(kind(Cookie.Kind.FRAGMENT)) - fragments, "two datagrams of three fragments");
        long unknown = counted(kind(Cookie.Kind.UNKNOWN_PORT));
        List<String> closed = lab.ask(lab.router(), "udp", client(family), first, 54, 2);
        assertTrue(closed.stream().allMatch(line -> line.startsWith("nothing")), closed::toString);
        assertEquals(2, counted(kind(Cookie.Kind.UNKNOWN_PORT)) - unknown);
    }

    /**
     * Neighbour entries go stale after half a second here and are then confirmed by asking the node alone. Were that not
     * answered, packets would stop until everybody is asked anew, as happens every half an hour to those who forget it.
     */
    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void neighboursStayReachableByUnicastQuestions(IpFamily family) throws Exception {
        IpAddress vip = DualStackSite.vip(family, 1);
        impatient(lab.router(), family, "eth10");
        impatient(lab.host(20), family, "eth20");
        impatient(lab.host(30), family, "eth30");
        Predicate<InstalledFlow> answers = installed -> installed.flow().key().table() == 0
                && installed.flow().key().priority() == 990
                && installed.flow().key().toString().contains(family == IpFamily.IPV4 ? "arp" : "icmp6");
        long before = counted(answers);
        assertEquals(List.of("80 of 80"), lab.ask(lab.router(), "steady", client(family), vip, 53, 8));
        long rounds = counted(answers) - before;
        assertTrue(rounds >= 8, () -> "questions answered in 8 s: " + rounds);
        confirmed(lab.router(), "eth10", vip, DualStackSite.own(10).toString());
        // Of the hosts, the one that served has its gateway's address; others may know the node from elsewhere.
        DualStackSite.Site served = DualStackSite.members().stream()
                .filter(member -> member.family() == family && member.role() == Role.PORTS)
                .filter(member -> lab.host(member.network())
                        .ip("neigh", "show", gateway(family, member).toString(), "dev", "eth" + member.network())
                        .contains(DualStackSite.own(member.network()).toString()))
                .findFirst()
                .orElseThrow();
        confirmed(
                lab.host(served.network()),
                "eth" + served.network(),
                gateway(family, served),
                DualStackSite.own(served.network()).toString());
    }

    private static IpAddress gateway(IpFamily family, DualStackSite.Site member) {
        return DualStackSite.gateways(family, member.network()).get(member.network() == 20 ? 0 : 1);
    }

    private static void confirmed(Namespace namespace, String device, IpAddress address, String mac) {
        String entry = namespace.ip("neigh", "show", address.toString(), "dev", device);
        assertTrue(entry.contains(mac) && !entry.contains("FAILED") && !entry.contains("INCOMPLETE"), entry);
    }

    /** Everybody is asked only for an address that was never known: losing a unicast answer would be seen. */
    private static void impatient(Namespace namespace, IpFamily family, String device) {
        String neigh = "net.%s.neigh.%s.".formatted(family == IpFamily.IPV4 ? "ipv4" : "ipv6", device);
        namespace.run(
                "sysctl",
                "-qw",
                neigh + "base_reachable_time_ms=500",
                neigh + "delay_first_probe_time=0",
                neigh + "retrans_time_ms=200",
                neigh + "mcast_resolicit=0");
        // What is known already would stay so for half a minute.
        namespace.ip("neigh", "flush", "dev", device);
    }
}
