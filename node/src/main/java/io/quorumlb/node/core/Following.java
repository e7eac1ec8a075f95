package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.node.core.LogState.Barrier;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;

/** Follows the log, and knows when what it has applied may be old. */
final class Following {
    /** A process that stood still for so long knows nothing of the world, which went on. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration BARRIER_RETRY = Duration.ofMillis(200);
    private static final Duration BARRIER_LOST = Duration.ofSeconds(5);

    private Following() {}

    static void noticePause(Turn turn, Duration stoodStill) {
        if (stoodStill.compareTo(PAUSE) > 0) {
            turn.say(
                    Severity.WARNING,
                    "node-paused",
                    "node stood still for %d ms: waits for the log before it acts",
                    stoodStill.toMillis());
            turn.log = turn.log.with(unanswered(turn) ? Barrier.OUTDATED : Barrier.NEEDED, turn.now);
            Installing.readAnew(turn);
            turn.gateways = turn.gateways.woken(turn.now);
            turn.news = true;
        }
    }

    private static boolean unanswered(Turn turn) {
        return turn.log.barrier() == Barrier.PENDING || turn.log.barrier() == Barrier.OUTDATED;
    }

    static void advanced(Turn turn, long index, ClusterState cluster) {
        ClusterState old = turn.log.cluster();
        turn.log = turn.log.with(index, cluster);
        if (old.equals(cluster)) {
            return;
        }
        turn.news = true;
        Remembering.advanced(turn, old, cluster);
        Timing.advanced(turn, old, cluster);
        Assigning.advanced(turn, old, cluster);
        if (turn.log.caughtUp()) {
            sayEmpty(turn, old, cluster);
            sayService(turn, old, cluster);
            sayGateways(turn, old, cluster);
            sayGenerations(turn, old, cluster);
        }
    }

    /** What happened while this node was away is no news, others have said it: one line tells where that has led. */
    private static void sayCaughtUp(Turn turn) {
        ClusterState cluster = turn.log.cluster();
        turn.say(
                Severity.INFO,
                "caught-up",
                "log is applied as far as anybody's index=%d generations=%s empty=%s out_of_service=%s gateways_away=%s",
                turn.log.appliedIndex(),
                cluster.model().pools().values().stream()
                        .map(pool -> pool.name() + "=" + cluster.generationNumber(pool.id()))
                        .toList(),
                cluster.emptySince().keySet(),
                cluster.outOfService().keySet(),
                cluster.gateways().stream()
                        .filter(gateway -> !cluster.ownerOf(gateway).equals(gateway.home()))
                        .map(gateway -> cluster.addressesOf(gateway) + "=" + cluster.ownerOf(gateway))
                        .toList());
    }

    private static void sayGenerations(Turn turn, ClusterState old, ClusterState cluster) {
        for (int poolId : cluster.history().changedSince(old.history())) {
            long before = old.generationNumber(poolId);
            cluster.generation(poolId)
                    .filter(generation -> generation.number() != before)
                    .ifPresent(generation -> sayGeneration(turn, generation));
        }
    }

    private static void sayEmpty(Turn turn, ClusterState old, ClusterState cluster) {
        cluster.emptySince().forEach((pool, since) -> {
            if (!old.empty(pool)) {
                turn.say(Severity.WARNING, "pool-empty", "pool has no member left pool=%d generation=%d", pool, since);
            }
        });
        old.emptySince().keySet().stream()
                .filter(pool -> !cluster.empty(pool))
                .forEach(pool -> turn.say(
                        Severity.INFO,
                        "pool-filled",
                        "pool no longer counts as empty pool=%d generation=%d",
                        pool,
                        cluster.generationNumber(pool)));
    }

    private static void sayService(Turn turn, ClusterState old, ClusterState cluster) {
        cluster.outOfService().forEach((node, reason) -> {
            if (old.inService(node)) {
                turn.say(Severity.WARNING, "service-left", "node left service node=%s reason=\"%s\"", node, reason);
            }
        });
        old.outOfService().keySet().stream()
                .filter(cluster::inService)
                .forEach(node -> turn.say(Severity.INFO, "service-returned", "node is back in service node=%s", node));
    }

    private static void sayGateways(Turn turn, ClusterState old, ClusterState cluster) {
        for (GatewayId gateway : cluster.gateways()) {
            NodeId from = old.ownerOf(gateway);
            NodeId to = cluster.ownerOf(gateway);
            if (!from.equals(to)) {
                boolean home = to.equals(gateway.home());
                turn.say(
                        home ? Severity.INFO : Severity.WARNING,
                        home ? "gateway-returned" : "gateway-moved",
                        "gateway goes from one node to another addresses=%s home=%s from=%s to=%s",
                        cluster.addressesOf(gateway),
                        gateway.home(),
                        from,
                        to);
            }
        }
    }

    private static void sayGeneration(Turn turn, PoolGeneration generation) {
        turn.say(
                Severity.INFO,
                "generation-committed",
                "generation committed pool=%d generation=%d digest=%s reason=\"%s\"",
                generation.poolId(),
                generation.number(),
                generation.expected(),
                generation.reason());
    }

    static void leadership(Turn turn, Leadership leadership) {
        if (!leadership.equals(turn.log.leadership())) {
            LogState before = turn.log;
            turn.log = before.with(leadership, turn.now);
            if (!before.searches() || !turn.log.searches()) {
                turn.say(
                        turn.log.searches() ? Severity.WARNING : Severity.INFO,
                        "leadership-changed",
                        "leadership changed from %s to %s",
                        before.leadership(),
                        leadership);
            }
            turn.proposals.clear();
            turn.office = turn.office.forgotten();
            turn.gateways = turn.gateways.settled();
            turn.news = true;
        }
    }

    static void barrierFinished(Turn turn, boolean caughtUp) {
        if (turn.log.barrier() == Barrier.OUTDATED) {
            turn.log = turn.log.with(Barrier.NEEDED, turn.now);
        } else if (turn.log.barrier() == Barrier.PENDING && caughtUp) {
            turn.log = turn.log.with(Barrier.PASSED, turn.now);
            sayCaughtUp(turn);
            turn.news = true;
        } else if (turn.log.barrier() == Barrier.PENDING) {
            turn.log = turn.log.with(Barrier.NEEDED, turn.now.plus(BARRIER_RETRY));
        }
    }

    static void due(Turn turn) {
        boolean lost =
                unanswered(turn) && turn.now.reached(turn.log.barrierAskedAt().plus(BARRIER_LOST));
        boolean needed = turn.log.barrier() == Barrier.NEEDED && turn.now.reached(turn.log.barrierAskedAt());
        boolean somebodyLeads = !(turn.log.leadership() instanceof Leadership.Searching);
        if ((lost || needed) && somebodyLeads) {
            turn.log = turn.log.with(Barrier.PENDING, turn.now);
            turn.want(new NodeEffect.ReadBarrier());
        }
    }
}
