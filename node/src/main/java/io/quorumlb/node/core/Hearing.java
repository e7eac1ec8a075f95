package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * When a leader gives its office away: if it does not hear what a majority observes, and so can decide nothing, or if a
 * majority builds other tables than it does.
 */
final class Hearing {
    private static final Duration FRESH_MIN = Duration.ofMillis(1500);
    private static final int DEAF_LIMITS = 3;
    private static final Duration HAND_OVER_AGAIN = Duration.ofSeconds(10);

    private Hearing() {}

    static void due(Turn turn) {
        if (!(turn.log.leadership() instanceof Leadership.Leading) || !turn.log.caughtUp() || !Leading.looks(turn)) {
            return;
        }
        NodeState state = turn.state();
        Optional<Agreement.Refuted> refuted = Agreement.refuted(state);
        if (refuted.isPresent()) {
            refuted.get().better().stream()
                    .filter(node -> ClusterViews.view(state, node, turn.now).reachable())
                    .findFirst()
                    .ifPresent(node -> handOver(
                            turn,
                            "leader-refuted",
                            Optional.of(node),
                            refuted.get().reason()));
            return;
        }
        listen(turn, state);
    }

    private static void listen(Turn turn, NodeState state) {
        Duration limit = freshFor(state);
        long heard = heard(state, turn.now, limit);
        if (heard >= state.settings().majority()) {
            turn.office = turn.office.deaf(Optional.empty());
            return;
        }
        MonotonicTime since = turn.office.deafSince().orElse(turn.now);
        turn.office = turn.office.deaf(Optional.of(since));
        if (turn.now.since(since).compareTo(limit.multipliedBy(DEAF_LIMITS)) > 0) {
            handOver(turn, "leader-deaf", best(state), hearing(state, heard));
        }
    }

    private static long heard(NodeState state, MonotonicTime now, Duration limit) {
        return 1
                + state.gossip().held().keySet().stream()
                        .filter(node -> state.settings().voters().contains(node) && hears(state, node, now, limit))
                        .count();
    }

    private static String hearing(NodeState state, long heard) {
        return "hears %d of %d voters, a majority is %d"
                .formatted(
                        heard,
                        state.settings().voters().size(),
                        state.settings().majority());
    }

    /** Returns how little this node hears, if it leads and has lacked fresh records of a majority at its last look. */
    static Optional<String> deafness(NodeState state, MonotonicTime now) {
        boolean deaf = state.log().leadership() instanceof Leadership.Leading
                && state.office().deafSince().isPresent();
        return deaf ? Optional.of(hearing(state, heard(state, now, freshFor(state)))) : Optional.empty();
    }

    private static void handOver(Turn turn, String code, Optional<NodeId> to, String reason) {
        if (turn.now.reached(turn.office.mayHandOverAt())) {
            turn.office = turn.office.handedOver(turn.now.plus(HAND_OVER_AGAIN));
            turn.say(
                    Severity.WARNING,
                    code,
                    "gives its leadership to %s reason=\"%s\"",
                    to.map(NodeId::value).orElse("any other"),
                    reason);
            turn.want(new NodeEffect.HandOver(to, reason));
        }
    }

    /** Returns the longest time for which an observation of any pool counts. */
    private static Duration freshFor(NodeState state) {
        return state.cluster().model().pools().values().stream()
                .map(pool -> Verdicts.freshFor(pool.monitor()))
                .max(Duration::compareTo)
                .orElse(FRESH_MIN);
    }

    /** A node with nothing to observe is heard by its record alone. */
    private static boolean hears(NodeState state, NodeId node, MonotonicTime now, Duration limit) {
        HeldRecord held = state.gossip().held().get(node);
        if (held == null
                || held.age(now).filter(age -> age.compareTo(limit) <= 0).isEmpty()) {
            return false;
        }
        return state.cluster().model().members().isEmpty()
                || held.youngest(now).filter(age -> age.compareTo(limit) <= 0).isPresent();
    }

    /** Returns the other voter whose last record had most observations that were fresh when it was made. */
    private static Optional<NodeId> best(NodeState state) {
        SortedMap<NodeId, Long> counts = new TreeMap<>();
        state.gossip().held().forEach((node, held) -> {
            long fresh = held.observationsThen().stream()
                    .filter(seen -> fresh(state, seen))
                    .count();
            if (fresh > 0 && state.settings().voters().contains(node)) {
                counts.put(node, fresh);
            }
        });
        return counts.entrySet().stream()
                .max(Comparator.<Map.Entry<NodeId, Long>>comparingLong(Map.Entry::getValue)
                        .thenComparing(Map.Entry::getKey, Comparator.reverseOrder()))
                .map(Map.Entry::getKey);
    }

    private static boolean fresh(NodeState state, Observation seen) {
        return Optional.ofNullable(state.cluster().model().members().get(seen.memberId()))
                .flatMap(member ->
                        Optional.ofNullable(state.cluster().model().pools().get(member.poolId())))
                .map(Pool::monitor)
                .filter(monitor -> seen.age().compareTo(Verdicts.freshFor(monitor)) <= 0)
                .isPresent();
    }
}
