package io.quorumlb.node.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Ipv4Prefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorType;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.Ipv4Address;
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
    private static final String SLOTS = "table=11";
    private static final String EGRESS = "table=21";
    private static final String RETURN_EGRESS = "table=25";
    private static final Ipv4Address MEMBER = Ipv4Address.parse("198.18.20.2");
    private static final Ipv4Address VIP = Ipv4Address.parse("198.19.0.10");
    private static final int ROUNDS = Integer.getInteger("quorumlb.moves", 3);

    @TempDir
    private Path directory;

    private Optional<TwoNetworks> networks = Optional.empty();
    private Optional<LoneLoop> node = Optional.empty();
    private int macs;

    @BeforeEach
    void start() throws Exception {
        networks = Optional.of(new TwoNetworks(directory));
        site().in("h1", "ip", "address", "add", MEMBER + "/24", "dev", "eth0");
        site().in("r1", "ip", "address", "add", LoneLoop.ROUTER + "/24", "dev", "eth0");
        site().startIn("h1", "python3", "-m", "http.server", "8080");
        node = Optional.of(new LoneLoop(site()));
        configure();
        until("the pool is served", LIMIT.multipliedBy(5), () -> flows(SLOTS).lines().count() > 256
                && flows(EGRESS).contains(mac("h1").toString())
                && flows(RETURN_EGRESS).contains(mac("r1").toString()));
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
        List<Duration> silently = new ArrayList<>();
        List<Duration> announced = new ArrayList<>();
        List<Duration> toAnotherHost = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            silently.add(newMac("h1", EGRESS, 0));
            announced.add(newMac("h1", EGRESS, 1));
            toAnotherHost.add(moved("h1", "h2", MEMBER, EGRESS));
            toAnotherHost.add(moved("h2", "h1", MEMBER, EGRESS));
        }
        report("member, new MAC address, silently", silently);
        report("member, new MAC address, announced", announced);
        report("member, another host, silently", toAnotherHost);
        assertEquals(0, node().said("neighbour-conflict"));
    }

    @Test
    void aNextHopThatMovesIsFollowedWithinThreeSeconds() throws Exception {
        List<Duration> silently = new ArrayList<>();
        List<Duration> announced = new ArrayList<>();
        List<Duration> toAnother = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            silently.add(newMac("r1", RETURN_EGRESS, 0));
            announced.add(newMac("r1", RETURN_EGRESS, 1));
            toAnother.add(moved("r1", "r2", LoneLoop.ROUTER, RETURN_EGRESS));
            toAnother.add(moved("r2", "r1", LoneLoop.ROUTER, RETURN_EGRESS));
        }
        report("next hop, new MAC address, silently", silently);
        report("next hop, new MAC address, announced", announced);
        report("next hop, another router, silently", toAnother);
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
        until("the other one has it", LIMIT, () -> flows(EGRESS).contains(mac("h2").toString()));
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
        until("the network is believed again", LIMIT, () -> flows(EGRESS).contains(mac("h1").toString()));
        until("probes follow", LIMIT, () -> kernelHas(mac("h1").toString()));
        assertEquals(1, node().said("static-neighbour-differs"));
    }

    @Test
    void aFloodOfStrangersChangesNothingAndCostsNoProbe() throws Exception {
        long flows = flows("").lines().count();
        long kernel = site().kernelNeighbours(TwoNetworks.SEGMENT);
        long suspicions = node().said("member-suspect");
        long before = usedMemory();
        Process members = flood("h2", "198.18.20.11", "02:51:55:01:02:01");
        Process clients = flood("r2", "198.18.10.11", "02:51:55:01:00:01");
        assertEquals(0, members.waitFor());
        assertEquals(0, clients.waitFor());
        assertEquals(flows, flows("").lines().count());
        assertTrue(site().kernelNeighbours(TwoNetworks.SEGMENT) <= kernel + 1, "strangers in the kernel's table");
        assertEquals(2, node().watch.current().neighbours(now()).size());
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

    /** Gives a station another MAC address and returns how long the switch went on with the old one. */
    private Duration newMac(String station, String table, int announce) throws Exception {
        site().in(station, "sysctl", "-qw", "net.ipv4.conf.eth0.arp_notify=" + announce);
        macs++;
        String mac = "02:00:00:00:%02x:%02x".formatted(macs >> 8, macs & 0xff);
        spread();
        site().in(station, "ip", "link", "set", "eth0", "address", mac);
        return until("the switch has " + mac, LIMIT, () -> flows(table).contains(mac));
    }

    private Duration moved(String from, String to, Ipv4Address address, String table) throws Exception {
        spread();
        site().in(from, "ip", "address", "del", address + "/24", "dev", "eth0");
        site().in(to, "ip", "address", "add", address + "/24", "dev", "eth0");
        String mac = mac(to).toString();
        return until("the switch has " + mac, LIMIT, () -> flows(table).contains(mac));
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
                .get()
                .orElseThrow()
                .neighbours()
                .values()
                .stream()
                .anyMatch(known -> MacAddress.parse(mac).equals(known.get(MEMBER)));
    }

    private NeighbourView view(Ipv4Address address) {
        return node().watch.current().neighbours(now()).stream()
                .filter(known -> known.key().address().equals(address))
                .findFirst()
                .orElseThrow();
    }

    private static MonotonicTime now() {
        return new MonotonicTime(System.nanoTime());
    }

    private MacAddress mac(String station) throws IOException, InterruptedException {
        return MacAddress.parse(site().outputIn(station, "cat", "/sys/class/net/eth0/address").strip());
    }

    private TwoNetworks site() {
        return networks.orElseThrow();
    }

    private LoneLoop node() {
        return node.orElseThrow();
    }

    private void configure() {
        node().operator(new Command.CreateSegment(new Segment(
                0, "p2", new Ipv4Prefix(Ipv4Address.parse("198.18.20.0"), 24), new TreeMap<>())));
        var monitor =
                new HealthMonitor(MonitorType.HTTP, "/", Duration.ofSeconds(1), Duration.ofMillis(800), 2, 3);
        node().operator(new Command.CreatePool(new Pool(0, "web", HashAlgoVersion.V2, 256, monitor)));
        node().operator(new Command.CreateMember(
                "web", "p2", new Member(0, 0, 0, "be1", new MemberKey(MEMBER, 8080), 1, AdminState.ENABLED)));
        node().operator(new Command.CreateListener(
                "web", new Listener(0, "web-http", VIP, Protocol.TCP, 80, 0)));
    }
}
