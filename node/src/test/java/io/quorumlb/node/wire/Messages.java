package io.quorumlb.node.wire;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.plan.Hold;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.Beat;
import io.quorumlb.node.core.Content;
import io.quorumlb.node.core.Delta;
import io.quorumlb.node.core.Entry;
import io.quorumlb.node.core.EntryKey;
import io.quorumlb.node.core.GatewayReport;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.InstallState;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.node.core.OpaqueBytes;
import io.quorumlb.node.core.PoolReport;
import io.quorumlb.node.core.RepairCounts;
import io.quorumlb.node.core.Stamp;
import io.quorumlb.node.core.SwitchReport;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.proto.v1.GossipBeat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Gossip messages for tests: any that a node could send. */
public final class Messages {
    private static final long COUNT_MAX = 1L << 40;

    private Messages() {}

    /** Returns a small beat of the owner, as if its record had the sequence as version. */
    public static Beat beat(NodeId owner, long incarnation, long sequence) {
        return new Beat(
                owner,
                incarnation,
                sequence,
                sequence,
                Duration.ZERO,
                new TreeMap<>(),
                new TreeMap<>(),
                Duration.ZERO,
                OpaqueBytes.NONE);
    }

    /** Returns the same on the wire, of the first incarnation. */
    public static GossipBeat wireBeat(NodeId owner, long sequence) {
        return GossipCodec.toWire(beat(owner, 1, sequence));
    }

    /** Returns a message of one beat. */
    public static GossipMessage of(Beat beat) {
        return new GossipMessage(List.of(beat), List.of(), List.of(), List.of());
    }

    /** Returns a message of one beat and a whole record with observations of members 1..count. */
    public static GossipMessage large(NodeId owner, int count) {
        List<Entry> entries = new ArrayList<>();
        for (int member = 1; member <= count; member++) {
            var seen = new Observation(
                    owner, member, Health.DOWN, Suspicion.NONE, Duration.ZERO, "no answer within 500 ms");
            entries.add(new Entry(
                    new EntryKey(EntryKey.MEMBER, member),
                    member,
                    new Content.OfMember(seen, Duration.ofSeconds(1)),
                    OpaqueBytes.NONE));
        }
        var delta = new Delta(owner, 1, 0, count, count, entries);
        return new GossipMessage(List.of(beat(owner, 1, count)), List.of(delta), List.of(), List.of());
    }

    /** Returns a message drawn from all that a node could send. */
    public static GossipMessage any(RandomGenerator random) {
        List<Beat> beats = new ArrayList<>();
        List<Delta> deltas = new ArrayList<>();
        List<Stamp> held = new ArrayList<>();
        List<Stamp> wanted = new ArrayList<>();
        for (int node = 1; node <= 4; node++) {
            NodeId owner = new NodeId("n" + node);
            if (random.nextBoolean()) {
                beats.add(anyBeat(owner, random));
            }
            if (random.nextBoolean()) {
                deltas.add(anyDelta(owner, random));
            }
            if (random.nextBoolean()) {
                held.add(new Stamp(owner, count(random), count(random)));
            }
            if (random.nextBoolean()) {
                wanted.add(new Stamp(owner, count(random), count(random)));
            }
        }
        return new GossipMessage(beats, deltas, held, wanted);
    }

    private static Beat anyBeat(NodeId owner, RandomGenerator random) {
        SortedMap<Duration, Duration> bounds = new TreeMap<>();
        for (int interval = 1; interval <= random.nextInt(4); interval++) {
            bounds.put(Duration.ofMillis(interval * 100L), millis(random));
        }
        return new Beat(
                owner,
                count(random),
                count(random),
                count(random),
                millis(random),
                bounds,
                peers(random),
                millis(random),
                OpaqueBytes.NONE);
    }

    private static Delta anyDelta(NodeId owner, RandomGenerator random) {
        long base = count(random);
        long version = base;
        List<Entry> entries = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            version += random.nextInt(1, 9);
            entries.add(anyEntry(owner, version, random));
        }
        return new Delta(owner, count(random), base, version, version + random.nextInt(3), entries);
    }

    private static Entry anyEntry(NodeId owner, long version, RandomGenerator random) {
        int id = random.nextInt(1, 1000);
        return switch (random.nextInt(5)) {
            case 0 -> entry(EntryKey.NODE, 0, version, new Content.OfNode(report(random)));
            case 1 -> entry(EntryKey.POOL, id, version, new Content.OfPool(pool(id, random)));
            case 2 -> entry(EntryKey.MEMBER, id, version, new Content.Gone());
            case 3 ->
                new Entry(new EntryKey(7, id), version, new Content.Foreign(), OpaqueBytes.of(new byte[] {
                    1, 2, (byte) random.nextInt()
                }));
            default -> {
                var seen = new Observation(
                        owner,
                        id,
                        pick(random, List.of(Health.values())),
                        pick(random, List.of(Suspicion.values())),
                        Duration.ZERO,
                        text(random));
                yield entry(EntryKey.MEMBER, id, version, new Content.OfMember(seen, millis(random)));
            }
        };
    }

    private static Entry entry(int kind, int id, long version, Content content) {
        return new Entry(new EntryKey(kind, id), version, content, OpaqueBytes.NONE);
    }

    private static Optional<Fingerprint> fingerprint(RandomGenerator random) {
        Digest table = Fingerprint.digest(List.of(random.nextInt(65_536)));
        return switch (random.nextInt(3)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(new Fingerprint(table, Optional.empty(), text(random)));
            default -> Optional.of(new Fingerprint(table, Fingerprint.digest(List.of(random.nextInt(65_536)))));
        };
    }

    static NodeReport report(RandomGenerator random) {
        List<PoolReport> pools = new ArrayList<>();
        for (int pool = 1; pool <= random.nextInt(4); pool++) {
            pools.add(pool(pool, random));
        }
        Leadership leadership = switch (random.nextInt(3)) {
            case 0 -> new Leadership.Leading(count(random));
            case 1 -> new Leadership.Following(count(random), new NodeId("leader"));
            default -> new Leadership.Searching(count(random));
        };
        SwitchReport datapath = new SwitchReport(
                random.nextBoolean(),
                random.nextBoolean(),
                text(random),
                text(random),
                text(random),
                random.nextInt(Integer.MAX_VALUE),
                new RepairCounts(random.nextInt(100), random.nextInt(100), random.nextInt(100)),
                random.nextBoolean(),
                count(random),
                count(random),
                count(random),
                millis(random),
                millis(random),
                fingerprint(random));
        return new NodeReport(
                leadership,
                count(random),
                datapath,
                pools,
                random.nextBoolean(),
                text(random),
                text(random),
                random.nextBoolean(),
                peers(random),
                gateways(random),
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(Instant.ofEpochSecond(random.nextLong(1, 1L << 40))),
                List.of(text(random), text(random)));
    }

    private static GatewayReport gateways(RandomGenerator random) {
        SortedMap<String, IpAddress> addresses = new TreeMap<>();
        addresses.put("p2", IpAddress.parse("10.20.0." + random.nextInt(1, 255)));
        addresses.put("p3", IpAddress.parse("fd00:30::" + random.nextInt(1, 255)));
        return new GatewayReport(
                addresses,
                new TreeSet<>(List.of(new NodeId("n" + random.nextInt(1, 9)))),
                new TreeSet<>(List.of(IpAddress.parse("10.20.0." + random.nextInt(1, 255)))));
    }

    private static List<Hold> holds(RandomGenerator random) {
        return random.nextBoolean() ? List.of() : List.of(new Hold("mass-failure-held", text(random)));
    }

    private static PoolReport pool(int id, RandomGenerator random) {
        InstallState state = pick(random, List.of(InstallState.values()));
        return new PoolReport(
                id,
                count(random),
                digest(random),
                digest(random),
                digest(random),
                state,
                text(random),
                holds(random),
                digest(random));
    }

    private static SortedMap<NodeId, Duration> peers(RandomGenerator random) {
        SortedMap<NodeId, Duration> peers = new TreeMap<>();
        for (int peer = 1; peer <= random.nextInt(4); peer++) {
            peers.put(new NodeId("peer-" + peer), millis(random));
        }
        return peers;
    }

    private static <T> T pick(RandomGenerator random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static long count(RandomGenerator random) {
        return random.nextLong(COUNT_MAX);
    }

    private static Duration millis(RandomGenerator random) {
        return Duration.ofMillis(random.nextLong(1L << random.nextInt(1, 33)));
    }

    private static Optional<Digest> digest(RandomGenerator random) {
        return random.nextInt(4) == 0
                ? Optional.empty()
                : Optional.of(new Digest("%016x".formatted(random.nextLong()).repeat(4)));
    }

    private static String text(RandomGenerator random) {
        return random.nextInt(3) == 0 ? "" : "no answer – " + random.nextInt();
    }
}
