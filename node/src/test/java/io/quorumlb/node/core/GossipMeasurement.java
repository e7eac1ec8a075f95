package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Requests;
import io.quorumlb.consensus.machine.Timers;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.node.wire.GossipCodec;
import io.quorumlb.node.wire.GossipParts;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.GossipRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Measures what three nodes with many members send each other, at rest and while half of the members die within three
 * seconds, and how long a step takes. Virtual time and real bytes: every message goes through the wire's codec.
 * Arguments: members, pools, {@code lead} if one of the nodes shall lead.
 */
final class GossipMeasurement {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration DYING = Duration.ofSeconds(3);
    private static final HealthMonitor MONITOR =
            new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);

    /** Processor time, so that a busy machine does not count. */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final FakeLog log = new FakeLog();
    private final SortedMap<NodeId, NodeDriver> nodes = new TreeMap<>();
    private final List<Integer> members = new ArrayList<>();
    private MonotonicTime now = new MonotonicTime(5_000_000_000L);

    private final SortedMap<Long, Long> bytesBySecond = new TreeMap<>();
    private long bytes;
    private long messages;
    private int largest;
    private final List<Long> stepNanos = new ArrayList<>();

    private GossipMeasurement(int memberCount, int poolCount) {
        log.load(cluster(memberCount, poolCount));
        for (NodeId id : Site.NODES) {
            var node = new NodeDriver(id, 1_790_000_000_000L, new FakeSwitch(Site.PORTS), log, now);
            node.answering.addAll(members);
            node.gossip = (to, message) -> send(id, to, message);
            nodes.put(id, node);
        }
    }

    private ClusterState cluster(int memberCount, int poolCount) {
        SortedMap<Integer, Segment> segments = new TreeMap<>();
        segments.put(1, new Segment(1, "p2", new IpPrefix(Ipv4Address.parse("10.20.0.0"), 16), new TreeMap<>()));
        SortedMap<Integer, Pool> pools = new TreeMap<>();
        for (int pool = 1; pool <= poolCount; pool++) {
            pools.put(pool, new Pool(pool, "pool-" + pool, HashAlgoVersion.V2, 256, MONITOR));
        }
        SortedMap<Integer, Member> all = new TreeMap<>();
        for (int i = 0; i < memberCount; i++) {
            int id = i + 1;
            members.add(id);
            MemberKey key = MemberKey.parse("10.20.%d.%d:8080".formatted(i / 250, i % 250 + 1));
            all.put(id, new Member(id, i % poolCount + 1, 1, "m" + id, key, 1, AdminState.ENABLED));
        }
        return new ClusterState(
                1,
                new Model(segments, pools, all, new TreeMap<>()),
                new ClusterState.LastIds(1, poolCount, memberCount, 0),
                IdMap.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                IdMap.empty(),
                SlotFunction.MULTIPATH,
                Requests.none(),
                Timers.none());
    }

    private void send(NodeId from, NodeId to, GossipMessage message) {
        Caller caller =
                Caller.newBuilder().setClusterId("site").setNode(from.value()).build();
        for (GossipParts.Part part : GossipParts.of(message)) {
            GossipRequest request = part.toWire(caller, Duration.ZERO);
            messages++;
            bytes += request.getSerializedSize();
            bytesBySecond.merge(now.nanos() / 1_000_000_000L, (long) request.getSerializedSize(), Long::sum);
            largest = Math.max(largest, request.getSerializedSize());
            NodeDriver peer = nodes.get(to);
            if (peer != null) {
                peer.deliver(new NodeEvent.GossipReceived(from, GossipCodec.fromWire(request)));
            }
        }
    }

    private void tick() {
        now = now.plus(TICK);
        for (NodeDriver node : nodes.values()) {
            node.prepare(now);
            long start = THREADS.getCurrentThreadCpuTime();
            Step step = node.compute(now);
            stepNanos.add(THREADS.getCurrentThreadCpuTime() - start);
            node.finish(step, now);
            node.forget();
        }
    }

    private void run(Duration time) {
        for (MonotonicTime end = now.plus(time); !now.reached(end); ) {
            tick();
        }
    }

    private void forget() {
        bytes = 0;
        bytesBySecond.clear();
        messages = 0;
        largest = 0;
        stepNanos.clear();
    }

    private void print(String what, Duration time) {
        double seconds = time.toMillis() / 1000.0 * nodes.size();
        List<Long> sorted = stepNanos.stream().sorted().toList();
        System.out.printf(
                Locale.ROOT,
                "%-40s %7.0f bytes/s (busiest second %7.0f) %5.1f messages/s, largest %6d bytes;"
                        + " step p50 %5.2f ms p99 %5.2f ms%n",
                what,
                bytes / seconds,
                bytesBySecond.values().stream().mapToLong(Long::longValue).max().orElse(0) / (double) nodes.size(),
                messages / seconds,
                largest,
                sorted.get(sorted.size() / 2) / 1e6,
                sorted.get(sorted.size() * 99 / 100) / 1e6);
    }

    /** Runs it. */
    public static void main(String[] arguments) {
        int memberCount = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int poolCount = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
        var measurement = new GossipMeasurement(memberCount, poolCount);
        // Without a leader nodes wait with everything; one that is not measured takes no time.
        measurement.log.elect(List.of(arguments).contains("lead") ? Site.N1 : new NodeId("elsewhere"));
        System.out.printf("%d nodes, %d members in %d pools; per node%n", Site.NODES.size(), memberCount, poolCount);
        Duration start = Duration.ofSeconds(10);
        measurement.run(start);
        measurement.print("first 10 s", start);
        measurement.forget();
        Duration rest = Duration.ofSeconds(20);
        measurement.run(rest);
        measurement.print("at rest", rest);
        measurement.forget();
        measurement.halfDies(new Random(1));
    }

    private void halfDies(Random random) {
        List<Integer> dying = new ArrayList<>(members);
        Collections.shuffle(dying, random);
        int ticks = (int) (DYING.toMillis() / TICK.toMillis());
        int half = dying.size() / 2;
        for (int i = 0; i < ticks; i++) {
            List<Integer> now = dying.subList(half * i / ticks, half * (i + 1) / ticks);
            nodes.values().forEach(node -> now.forEach(node.answering::remove));
            tick();
        }
        Duration rest = Duration.ofSeconds(4);
        run(rest);
        print("half of the members die within 3 s, 7 s", DYING.plus(rest));
    }
}
