package io.quorumlb.node.wire;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import io.quorumlb.maglev.Digest;
import io.quorumlb.node.core.InstallState;
import io.quorumlb.node.core.NodeRecord;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.node.core.PoolReport;
import io.quorumlb.node.core.SwitchReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Records for tests: any that a node could make. */
public final class Records {
    private static final long COUNT_MAX = 1L << 40;

    private Records() {}

    /** Returns a small record of the owner. */
    public static NodeRecord of(NodeId owner, long incarnation, long sequence) {
        NodeReport report = new NodeReport(
                new Leadership.Searching(0),
                0,
                new SwitchReport(true, "", 0, 0, 0, 0, Duration.ZERO),
                List.of(),
                false,
                "starting",
                "",
                false,
                new TreeMap<>(),
                List.of());
        return new NodeRecord(owner, incarnation, sequence, Duration.ZERO, List.of(), report);
    }

    /** Returns a record drawn from all that a node could make. */
    public static NodeRecord any(RandomGenerator random) {
        NodeId owner = new NodeId("n" + random.nextInt(1, 10));
        List<Observation> observations = new ArrayList<>();
        for (int member = 1; member <= random.nextInt(5); member++) {
            Health health = pick(random, List.of(Health.values()));
            observations.add(new Observation(
                    owner,
                    member * 1000,
                    health,
                    pick(random, List.of(Suspicion.values())),
                    millis(random),
                    text(random)));
        }
        return new NodeRecord(owner, count(random), count(random), millis(random), observations, report(random));
    }

    private static NodeReport report(RandomGenerator random) {
        List<PoolReport> pools = new ArrayList<>();
        for (int pool = 1; pool <= random.nextInt(4); pool++) {
            InstallState state = pick(random, List.of(InstallState.values()));
            pools.add(new PoolReport(
                    pool, count(random), digest(random), digest(random), digest(random), state, text(random)));
        }
        SortedMap<NodeId, Duration> peers = new TreeMap<>();
        for (int peer = 1; peer <= random.nextInt(4); peer++) {
            peers.put(new NodeId("peer-" + peer), millis(random));
        }
        Leadership leadership = switch (random.nextInt(3)) {
            case 0 -> new Leadership.Leading(count(random));
            case 1 -> new Leadership.Following(count(random), new NodeId("leader"));
            default -> new Leadership.Searching(count(random));
        };
        SwitchReport datapath = new SwitchReport(
                random.nextBoolean(),
                text(random),
                random.nextInt(Integer.MAX_VALUE),
                count(random),
                count(random),
                count(random),
                millis(random));
        return new NodeReport(
                leadership,
                count(random),
                datapath,
                pools,
                random.nextBoolean(),
                text(random),
                text(random),
                random.nextBoolean(),
                peers,
                List.of(text(random), text(random)));
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
