package io.quorumlb.node.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NeighbourView;
import io.quorumlb.ovs.flow.MacAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Addresses that move, on a real switch and real networks, seen in the switch's own flows. */
@Timeout(180)
class NeighbourMoveTest {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration START = Duration.ofSeconds(25);
    private static final String SLOTS = "table=11";
    private static final String EGRESS = "table=21";
    private static final String RETURN_EGRESS = "table=25";
    private static final IpAddress MEMBER = IpAddress.parse("198.18.20.2");
    private static final IpAddress MEMBER6 = IpAddress.parse("fd51:20::2");
    private static final IpAddress VIP = IpAddress.parse("198.19.0.10");
    private static final int ROUNDS = Integer.getInteger("quorumlb.moves", 2);

    @TempDir
    private Path directory;

    private Optional<TwoNetworks> networks = Optional.empty();
    private Optional<LoneLoop> node = Optional.empty();
    private int macs;

    @BeforeEach
    void start() throws Exception {
        networks = Optional.of(new TwoNetworks(directory));
        for (IpAddress address : List.of(MEMBER, MEMBER6)) {
            site().in("h1", "ip", "address", "add", prefix(address), "dev", "eth0");
        }
        for (IpAddress address : List.of(LoneLoop.ROUTER, LoneLoop.ROUTER6)) {
            site().in("r1", "ip", "address", "add", prefix(address), "dev", "eth0");
        }
        site().startIn("h1", "python3", "-m", "http.server", "8080", "--bind", "::");
        node = Optional.of(new LoneLoop(site()));
        configure();
        String host = mac("h1").toString();
        String router = mac("r1").toString();
        try {
            until(
                    "the pools are served",
                    START,
                    () -> flows(SLOTS).lines().count() > 512
                            && sends(row(MEMBER), host)
                            && sends(row(MEMBER6), host)
                            && sends(row(LoneLoop.ROUTER), router)
                            && sends(row(LoneLoop.ROUTER6), router));
        } catch (AssertionError failed) {
            throw new AssertionError(
                    "%s: %d rows of slots, %s %s %s"
                            .formatted(
                                    failed.getMessage(),
                                    flows(SLOTS).lines().count(),
                                    flows(EGRESS),
                                    flows(RETURN_EGRESS),
                                    node().watch.current().report(now())),
                    failed);
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (node.isPresent()) {
            node.get().close();
        }
        if (networks.isPresent()) {
            networks.get().close();
        }
    }

    @Test
    void aMemberThatMovesIsFollowedWithinThreeSeconds() throws Exception {
        follow("member", "h1", "h2", List.of(MEMBER, MEMBER6));
        assertEquals(0, node().said("neighbour-conflict"));
    }

    @Test
    void aNextHopThatMovesIsFollowedWithinThreeSeconds() throws Exception {
        follow("next hop", "r1", "r2", List.of(LoneLoop.ROUTER, LoneLoop.ROUTER6));
    }

    /** A station gets other MAC addresses, and its addresses of both versions of IP go to another station and back. */
    private void follow(String what, String station, String other, List<IpAddress> addresses) throws Exception {
        List<Duration> silently = new ArrayList<>();
        List<Duration> announced = new ArrayList<>();
        List<Duration> toAnother = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            silently.addAll(newMac(station, addresses, 0));
            announced.addAll(newMac(station, addresses, 1));
            toAnother.addAll(moved(station, other, addresses));
            toAnother.addAll(moved(other, station, addresses));
        }
        for (IpAddress address : addresses) {
            until("announcements of " + address + " reach the node", LIMIT, () -> announcementsHeard(address));
        }
        report(what + ", new MAC address, silently", silently);
        report(what + ", new MAC address, announced", announced);
        report(what + ", another station, silently", toAnother);
    }

    @Test
    void twoHostsWithOneAddressAreNamedAndTheFirstOneKeepsIt() throws Exception {
        MacAddress first = mac("h1");
        site().in("h2", "ip", "address", "add", MEMBER + "/24", "dev", "eth0");
        until("the conflict is said", LIMIT.multipliedBy(2), () -> node().said("neighbour-conflict") > 0);
        assertEquals(NeighbourView.State.CONFLICT, view(MEMBER).state());
        assertEquals(Optional.of(mac("h2")), view(MEMBER).other());
        for (int look = 0; look < 20; look++) {
            assertTrue(flows(EGRESS).contains(first.toString()));
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        site().in("h1", "ip", "address", "del", MEMBER + "/24", "dev", "eth0");
        until(
                "the other one has it",
                LIMIT,
                () -> flows(EGRESS).contains(mac("h2").toString()));
    }

    @Test
    void aStaticMacAddressIsUsedWhateverAnswersAndTheDifferenceIsSaidOnce() throws Exception {
        var fixed = StaticMac.parse("02:00:00:00:77:77");
        node().operator(new Command.SetMemberMac("web", "be1", Optional.of(fixed)));
        until("the switch has it", LIMIT, () -> flows(EGRESS).contains(fixed.toString()));
        until("the difference is said", LIMIT, () -> node().said("static-neighbour-differs") == 1);
        assertEquals(NeighbourView.State.DIFFERS, view(MEMBER).state());
        assertEquals(NeighbourView.Source.STATIC, view(MEMBER).source());
        until("probes follow", LIMIT, () -> kernelHas(fixed.toString()));
        node().operator(new Command.SetMemberMac("web", "be1", Optional.empty()));
        until(
                "the network is believed again",
                LIMIT,
                () -> flows(EGRESS).contains(mac("h1").toString()));
        until("probes follow", LIMIT, () -> kernelHas(mac("h1").toString()));
        assertEquals(1, node().said("static-neighbour-differs"));
    }

    @Test
    void aFloodOfStrangersChangesNothingAndCostsNoProbe() throws Exception {
        long flows = flows("").lines().count();
        long kernel = site().kernelNeighbours(TwoNetworks.SEGMENT);
        long suspicions = node().said("member-suspect");
        long health = node().said("member-health");
        long before = usedMemory();
        Process members = flood("h2", "198.18.20.11", "02:51:55:01:02:01");
        Process clients = flood("r2", "198.18.10.11", "02:51:55:01:00:01");
        assertEquals(0, members.waitFor());
        assertEquals(0, clients.waitFor());
        assertEquals(flows, flows("").lines().count());
        assertTrue(site().kernelNeighbours(TwoNetworks.SEGMENT) <= kernel + 1, "strangers in the kernel's table");
        assertEquals(4, node().watch.current().neighbours(now()).size());
        assertEquals(health, node().said("member-health"), "the member stayed up");
        assertEquals(suspicions, node().said("member-suspect"), "every probe of the member succeeded");
        assertEquals(NeighbourView.State.REACHABLE, view(MEMBER).state());
        long grown = usedMemory() - before;
        System.out.printf("flood of 50000 strangers: heap grew by %d KiB%n", grown / 1024);
        assertTrue(grown < 8L << 20, () -> "heap grew by " + grown);
    }

    private Process flood(String station, String node, String mac) throws IOException {
        String script = Path.of("src/test/python/flood.py").toAbsolutePath().toString();
        return site().startIn(station, "python3", script, "eth0", "25000", node, mac, VIP.toString());
    }

    private static long usedMemory() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Gives a station another MAC address and returns how long the switch went on with the old one for each address. */
    private List<Duration> newMac(String station, List<IpAddress> addresses, int announce) throws Exception {
        site().in(station, "sysctl", "-qw", "net.ipv4.conf.eth0.arp_notify=" + announce);
        site().in(station, "sysctl", "-qw", "net.ipv6.conf.eth0.ndisc_notify=" + announce);
        macs++;
        String mac = "02:00:00:00:%02x:%02x".formatted(macs >> 8, macs & 0xff);
        spread();
        site().in(station, "ip", "link", "set", "eth0", "address", mac);
        return followed(addresses, mac);
    }

    private List<Duration> moved(String from, String to, List<IpAddress> addresses) throws Exception {
        spread();
        for (IpAddress address : addresses) {
            site().in(from, "ip", "address", "del", prefix(address), "dev", "eth0");
            site().in(to, "ip", "address", "add", prefix(address), "dev", "eth0");
        }
        return followed(addresses, mac(to).toString());
    }

    /** Returns how long it takes from now until the switch sends to each address at that MAC address. */
    private List<Duration> followed(List<IpAddress> addresses, String mac) throws Exception {
        long start = System.nanoTime();
        List<Duration> took = new ArrayList<>();
        List<IpAddress> left = new ArrayList<>(addresses);
        until("the switch has " + mac + " for all of " + addresses, LIMIT, () -> {
            for (IpAddress address : List.copyOf(left)) {
                if (sends(row(address), mac)) {
                    left.remove(address);
                    took.add(Duration.ofNanos(System.nanoTime() - start));
                }
            }
            return left.isEmpty();
        });
        return took;
    }

    private static String prefix(IpAddress address) {
        return address + (address.family() == IpFamily.IPV4 ? "/24" : "/64");
    }

    /** Where the switch writes the MAC address of an address. */
    private record Row(String table, String match) {}

    private static Row row(IpAddress address) {
        boolean member = address.equals(MEMBER) || address.equals(MEMBER6);
        boolean ipv4 = address.family() == IpFamily.IPV4;
        return member
                ? new Row(EGRESS, ipv4 ? "reg2=0x1 " : "reg2=0x2 ")
                : new Row(RETURN_EGRESS, ipv4 ? "priority=100,ip " : "priority=100,ipv6 ");
    }

    private boolean sends(Row row, String mac) throws IOException, InterruptedException {
        return flows(row.table()).lines().anyMatch(line -> line.contains(row.match()) && line.contains(mac));
    }

    private boolean announcementsHeard(IpAddress address) throws IOException, InterruptedException {
        return flows("table=0")
                .lines()
                .filter(line -> line.contains("priority=980,") && line.contains("=" + address))
                .anyMatch(line -> !line.contains("n_packets=0,"));
    }

    /** Changes come at any moment of the rhythm of questions. */
    private void spread() {
        LockSupport.parkNanos(Duration.ofMillis(300 + macs * 137L % 700).toNanos());
    }

    private static void report(String what, List<Duration> took) {
        var sorted = took.stream().sorted().toList();
        System.out.printf(
                "%s: n=%d median=%d ms most=%d ms%n",
                what,
                sorted.size(),
                sorted.get(sorted.size() / 2).toMillis(),
                sorted.getLast().toMillis());
    }

    /** Something that may fail while it is looked at. */
    private interface Look {
        boolean holds() throws Exception;
    }

    private static Duration until(String what, Duration limit, Look look) throws Exception {
        long start = System.nanoTime();
        while (!look.holds()) {
            Duration passed = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(passed.compareTo(limit) < 0, () -> "not within " + limit + ": " + what);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private String flows(String table) throws IOException, InterruptedException {
        return table.isEmpty() ? site().ofctl("dump-flows") : site().ofctl("dump-flows", table);
    }

    private boolean kernelHas(String mac) {
        return new KernelNetwork(List.of(TwoNetworks.internal(TwoNetworks.SEGMENT)))
                .get().orElseThrow().neighbours().values().stream()
                        .anyMatch(known -> MacAddress.parse(mac).equals(known.get(MEMBER)));
    }

    private NeighbourView view(IpAddress address) {
        return node().watch.current().neighbours(now()).stream()
                .filter(known -> known.key().address().equals(address))
                .findFirst()
                .orElseThrow();
    }

    private static MonotonicTime now() {
        return new MonotonicTime(System.nanoTime());
    }

    private MacAddress mac(String station) throws IOException, InterruptedException {
        return MacAddress.parse(
                site().outputIn(station, "cat", "/sys/class/net/eth0/address").strip());
    }

    private TwoNetworks site() {
        return networks.orElseThrow();
    }

    private LoneLoop node() {
        return node.orElseThrow();
    }

    private void configure() {
        var networks = List.of(
                new Segment.Network(new IpPrefix(IpAddress.parse("198.18.20.0"), 24), new TreeMap<>()),
                new Segment.Network(new IpPrefix(IpAddress.parse("fd51:20::"), 64), new TreeMap<>()));
        node().operator(new Command.CreateSegment(new Segment(0, "p2", networks)));
        pool("web", MEMBER, VIP);
        pool("web6", MEMBER6, IpAddress.parse("fd00:99::10"));
    }

    private void pool(String name, IpAddress member, IpAddress vip) {
        var monitor =
                new HealthMonitor(new MonitorCheck.Http("/"), Duration.ofSeconds(1), Duration.ofMillis(800), 2, 3);
        node().operator(new Command.CreatePool(new Pool(0, name, HashAlgoVersion.V2, 256, monitor)));
        node().operator(new Command.CreateMember(
                name, "p2", new Member(0, 0, 0, "be1", new MemberKey(member, 8080), 1, AdminState.ENABLED)));
        node().operator(new Command.CreateListener(name, new Listener(0, name + "-http", vip, Protocol.TCP, 80, 0)));
    }
}
