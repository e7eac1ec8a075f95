package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.node.core.Suspicions.Heard;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Listens to what other nodes doubt: a new doubt about a member that is up here buys {@code fall} quick looks at it, so
 * that the phases of all observers add up to one fast detector.
 *
 * <p>An observer that lies or a member that flaps cannot multiply probes: one observer's doubt pays once per interval, and
 * a member's {@link Recheck#allowance} bounds all of them together.
 */
final class Doubting {
    private Doubting() {}

    /**
     * Takes in what another node doubts now.
     *
     * @param suspects observations of the members that the observer doubts, ages as of now
     */
    static void heard(Turn turn, NodeId observer, List<Observation> suspects) {
        if (suspects.isEmpty() && turn.suspicions.isEmpty()) {
            return;
        }
        SortedMap<Integer, SortedMap<NodeId, Heard>> all = new TreeMap<>(turn.suspicions.byMember());
        SortedSet<Integer> doubted = new TreeSet<>();
        for (Observation seen : suspects) {
            Optional<HealthMonitor> monitor = turn.monitor(seen.memberId());
            if (monitor.isPresent()) {
                doubted.add(seen.memberId());
                doubt(turn, all, observer, seen, monitor.get());
            }
        }
        all.replaceAll((member, observers) -> {
            Heard before = observers.get(observer);
            if (before == null || doubted.contains(member)) {
                return observers;
            }
            SortedMap<NodeId, Heard> next = new TreeMap<>(observers);
            next.put(observer, new Heard(turn.now, before.paysAgainAt()));
            return next;
        });
        turn.suspicions = new Suspicions(all);
    }

    private static void doubt(
            Turn turn,
            SortedMap<Integer, SortedMap<NodeId, Heard>> all,
            NodeId observer,
            Observation seen,
            HealthMonitor monitor) {
        Duration left = Verdicts.freshFor(monitor).minus(seen.age());
        SortedMap<NodeId, Heard> observers = new TreeMap<>(all.getOrDefault(seen.memberId(), new TreeMap<>()));
        Optional<Heard> before = Optional.ofNullable(observers.get(observer));
        MonotonicTime paysAgainAt = before.map(Heard::paysAgainAt).orElse(turn.now);
        boolean newer = before.filter(heard -> heard.fresh(turn.now)).isEmpty();
        MemberProbe probe = turn.probes.get(seen.memberId());
        if (newer && left.isPositive() && turn.now.reached(paysAgainAt) && probe != null && probe.up()) {
            turn.put(seen.memberId(), probe.with(probe.recheck().bought(monitor.fall())));
            paysAgainAt = turn.now.plus(monitor.interval());
        }
        observers.put(observer, new Heard(turn.now.plus(left), paysAgainAt));
        all.put(seen.memberId(), observers);
    }

    static void due(Turn turn) {
        if (!turn.suspicions.isEmpty()) {
            turn.suspicions = turn.suspicions.pruned(turn.now);
        }
    }
}
