package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.packet.TransportFrame;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.testbed.DualStackLab;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.DualStackSite.Role;
import io.quorumlb.ovs.testbed.Namespace;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets on the wire of a real Open vSwitch, each counted once under what became of it. */
@Timeout(240)
class CountedPacketsTest {
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int FRAMES = 3;
    private static final int TRIES = 24;

    /** Ethernet, IP and UDP headers, and the eight bytes that the client sends. */
    private static final long REQUEST_BYTES_IPV4 = 14 + 20 + 8 + 8;

    private static final String SEND = """
            import socket, sys
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            s.bind((sys.argv[1], 0))
            [s.send(bytes.fromhex(frame)) for frame in sys.argv[2:]]
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static DualStackLab lab;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static OvsDatapath datapath;

    private FlowCounters counters = FlowCounters.none();

    @BeforeAll
    static void start() {
        lab = new DualStackLab(directory);
        datapath = new OvsDatapath(
                new OvsBridge(directory, PrivateSwitch.BRIDGE), new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK));
    }

    @AfterAll
    static void stop() {
        if (datapath != null) {
            datapath.close();
        }
        if (lab != null) {
            lab.close();
        }
    }

    private static void install(SwitchIntent intent) throws DatapathException {
        datapath.install(FlowDelta.between(read().ownFlows(), Pipeline.flows(intent)));
    }

    /** The greeting has a limit of its own, which a busy machine may miss. */
    private static SwitchSnapshot read() throws DatapathException {
        try {
            return datapath.readBack();
        } catch (DatapathException _) {
            return datapath.readBack();
        }
    }

    /** Returns what was counted since the last call, without strays: the kernels around the switch talk by themselves. */
    private SortedMap<Counted, Count> news() throws DatapathException {
        SortedMap<Counted, Count> before = counters.totals();
        lab.ovs().appctl("revalidator/purge");
        counters = counters.read(read().own(), _ -> true);
        SortedMap<Counted, Count> news = new TreeMap<>();
        counters.totals().forEach((counted, count) -> {
            Count since = count.since(before.getOrDefault(counted, Count.ZERO));
            boolean stray = counted instanceof Counted.Dropped drop && drop.cause() == DropCause.NOT_OURS;
            if (!since.equals(Count.ZERO) && !stray) {
                news.put(counted, since);
            }
        });
        return news;
    }

    private static IpAddress client(IpFamily family) {
        return DualStackSite.address(family, DualStackLab.CLIENT_NETWORK, 1);
    }

    /** Returns a frame of the client to a port of the first VIP. */
    private static byte[] toVip(IpFamily family, int protocol, int sourcePort, int port) {
        return new TransportFrame(
                        DualStackSite.own(10),
                        DualStackSite.ROUTER,
                        client(family),
                        DualStackSite.vip(family, 1),
                        protocol,
                        sourcePort,
                        port)
                .bytes();
    }

    private static void send(Namespace from, String device, List<byte[]> frames) {
        var command = new ArrayList<>(List.of("python3", "-c", SEND, device));
        frames.forEach(frame -> command.add(HexFormat.of().formatHex(frame)));
        from.run(command.toArray(String[]::new));
    }

    private static void sendToVip(byte[] frame) {
        send(lab.router(), "eth10", Collections.nCopies(FRAMES, frame));
    }

    /** Sends the frame some times and expects nothing but so many drops of one kind, and what is counted on the way. */
    private void dropped(Counted.Dropped expected, byte[] frame) throws DatapathException {
        var _ = news();
        sendToVip(frame);
        SortedMap<Counted, Count> news = news();
        Count count = Optional.ofNullable(news.remove(expected)).orElse(Count.ZERO);
        assertEquals(FRAMES, count.packets(), () -> expected + " beside " + news);
        assertEquals(FRAMES * (long) Math.max(frame.length, 14), count.bytes(), expected::toString);
        assertTrue(
                news.keySet().stream().noneMatch(Counted.Dropped.class::isInstance),
                () -> "expected " + expected + " alone, beside it " + news);
    }

    private static Counted.Dropped drop(DropCause cause, PipelineTable table) {
        return new Counted.Dropped(cause, table.id(), 0, 0);
    }

    /** Sets the time to live of an IPv4 or IPv6 frame; the header's checksum is made right again. */
    private static byte[] withTtl(byte[] frame, int ttl) {
        if (frame[12] == (byte) 0x86) {
            frame[21] = (byte) ttl;
            return frame;
        }
        frame[22] = (byte) ttl;
        return checked(frame);
    }

    private static byte[] checked(byte[] frame) {
        frame[24] = 0;
        frame[25] = 0;
        int sum = IntStream.range(7, 17)
                .map(word -> Byte.toUnsignedInt(frame[2 * word]) << 8 | Byte.toUnsignedInt(frame[2 * word + 1]))
                .sum();
        int folded = ~((sum & 0xffff) + (sum >>> 16)) & 0xffff;
        frame[24] = (byte) (folded >>> 8);
        frame[25] = (byte) folded;
        return frame;
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void everyPacketIsCountedForListenerAndMemberInBothDirections(IpFamily family) throws Exception {
        install(DualStackSite.intent());
        int pool = DualStackSite.pool(family, Role.PORTS);
        int listener = pool * 10 + 1;
        IpAddress vip = DualStackSite.vip(family, 1);
        assertEquals(1, lab.ask(lab.router(), "udp", client(family), vip, 53, 1).size());
        var _ = news();
        long answered = lab.ask(lab.router(), "udp", client(family), vip, 53, TRIES).stream()
                .filter(line -> !line.startsWith("nothing"))
                .count();
        assertEquals(TRIES, answered);
        SortedMap<Counted, Count> news = news();
        Count received = news.getOrDefault(new Counted.Received(listener), Count.ZERO);
        assertEquals(new Count(TRIES, TRIES * (REQUEST_BYTES_IPV4 + (family == IpFamily.IPV4 ? 0 : 20))), received);
        var reply = new Counted.Reply(pool, vip, UDP, 53);
        assertEquals(
                TRIES,
                news.getOrDefault(new Counted.Answered(reply), Count.ZERO).packets());
        long forwarded = 0;
        long returned = 0;
        for (int member :
                DualStackSite.table(family, Role.PORTS).slotsByMember().keySet()) {
            long in = news.getOrDefault(new Counted.Forwarded(listener, member), Count.ZERO)
                    .packets();
            long out = news.getOrDefault(new Counted.Returned(member, reply), Count.ZERO)
                    .packets();
            assertEquals(in, out, "each request has one reply of the same member");
            forwarded += in;
            returned += out;
        }
        assertEquals(TRIES, forwarded);
        assertEquals(TRIES, returned);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void answeredEchoesAreCounted(IpFamily family) throws Exception {
        install(DualStackSite.intent());
        var _ = news();
        lab.ask(lab.router(), "ping", client(family), DualStackSite.vip(family, 1), 56, 5);
        assertEquals(5, news().getOrDefault(new Counted.Echoed(), Count.ZERO).packets());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(IpFamily.class)
    void everyDropIsCountedOnceUnderItsCause(IpFamily family) throws Exception {
        install(DualStackSite.intent());
        dropped(drop(DropCause.UNKNOWN_PORT, PipelineTable.LISTENER), toVip(family, UDP, 5000, 54));
        dropped(drop(DropCause.MALFORMED, PipelineTable.LISTENER), toVip(family, UDP, 5000, 0));
        dropped(drop(DropCause.MALFORMED, PipelineTable.LISTENER), toVip(family, TCP, 5000, 0));
        dropped(drop(DropCause.TTL, PipelineTable.TTL), withTtl(toVip(family, TCP, 5000, 80), 1));
        dropped(drop(DropCause.TTL, PipelineTable.TTL), withTtl(toVip(family, UDP, 5000, 53), 0));
        byte[] other = toVip(family, UDP, 5000, 53);
        other[12] = (byte) 0x88;
        other[13] = (byte) 0xb5;
        dropped(drop(DropCause.NOT_IP, PipelineTable.INGRESS), other);
    }

    @Test
    void fragmentsAndOtherIcmpAreCountedUnderTheirCauses() throws Exception {
        install(DualStackSite.intent());
        byte[] first = toVip(IpFamily.IPV4, UDP, 5000, 53);
        first[20] = 0x20; // more follow
        dropped(drop(DropCause.FRAGMENT, PipelineTable.INGRESS), checked(first));
        byte[] later = toVip(IpFamily.IPV4, UDP, 5000, 53);
        later[21] = 1; // not the first
        dropped(drop(DropCause.FRAGMENT, PipelineTable.INGRESS), checked(later));
        byte[] timestamp = toVip(IpFamily.IPV4, TCP, 0, 0);
        timestamp[23] = 1;
        timestamp[34] = 13;
        dropped(drop(DropCause.ICMP, PipelineTable.INGRESS), checked(timestamp));
    }

    @Test
    void whatComesFromASegmentAndIsNoReplyIsCounted() throws Exception {
        install(DualStackSite.intent());
        var _ = news();
        byte[] stray = new TransportFrame(
                        DualStackSite.own(20),
                        DualStackSite.host(DualStackSite.P2),
                        DualStackSite.address(IpFamily.IPV4, 20, 77),
                        client(IpFamily.IPV4),
                        UDP,
                        9,
                        9)
                .bytes();
        send(lab.host(20), "eth20", Collections.nCopies(FRAMES, stray));
        assertEquals(
                FRAMES,
                news().getOrDefault(drop(DropCause.NO_REPLY, PipelineTable.UN_DNAT), Count.ZERO)
                        .packets());
    }

    private static SwitchIntent with(UnaryOperator<ServedPool> change) {
        SwitchIntent site = DualStackSite.intent();
        return new SwitchIntent(
                site.uplink(),
                site.nextHops(),
                site.segments(),
                site.listeners(),
                site.pools().stream().map(change).toList(),
                site.routers());
    }

    private static ServedPool withoutMacs(ServedPool pool) {
        return new ServedPool(
                pool.id(),
                pool.generation(),
                pool.digest(),
                pool.table(),
                pool.members().stream()
                        .map(member -> new ServedMember(
                                member.id(),
                                member.address(),
                                member.port(),
                                member.segment(),
                                Optional.<MacAddress>empty()))
                        .toList());
    }

    private static ServedPool withoutOwners(ServedPool pool) {
        SlotTable empty = SlotTable.readBack(pool.table().definition(), new TreeMap<>());
        return new ServedPool(pool.id(), pool.generation(), empty.digest(), empty, pool.members());
    }

    /** The rows that drop take the place of rows that forwarded, and the other way round: neither count may leak. */
    @Test
    void packetsToNobodyAreCountedForPoolAndMember() throws Exception {
        install(DualStackSite.intent());
        int pool = DualStackSite.pool(IpFamily.IPV4, Role.ALL_PORTS);
        int listener = DualStackSite.pool(IpFamily.IPV4, Role.PORTS) * 10 + 6;
        int member = 3;
        byte[] frame = new TransportFrame(
                        DualStackSite.own(10),
                        DualStackSite.ROUTER,
                        client(IpFamily.IPV4),
                        DualStackSite.vip(IpFamily.IPV4, 2),
                        UDP,
                        5000,
                        7777)
                .bytes();
        var _ = news();
        sendToVip(frame);
        assertEquals(
                FRAMES,
                news().getOrDefault(new Counted.Forwarded(listener, member), Count.ZERO)
                        .packets());
        install(with(CountedPacketsTest::withoutMacs));
        dropped(new Counted.Dropped(DropCause.NO_MAC, PipelineTable.EGRESS.id(), pool, member), frame);
        install(with(CountedPacketsTest::withoutOwners));
        dropped(new Counted.Dropped(DropCause.NO_MEMBER, PipelineTable.SLOTS.id(), pool, 0), frame);
        SwitchIntent site = DualStackSite.intent();
        install(new SwitchIntent(
                site.uplink(), site.nextHops(), site.segments(), site.listeners(), List.of(), site.routers()));
        dropped(drop(DropCause.NO_GENERATION, PipelineTable.SLOT_FUNCTION), frame);
        install(site);
        var _ = news();
        sendToVip(frame);
        assertEquals(
                FRAMES,
                news().getOrDefault(new Counted.Forwarded(listener, member), Count.ZERO)
                        .packets());
    }
}
