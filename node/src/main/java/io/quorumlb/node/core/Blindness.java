package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Verdict;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds observers that see everything of a pool down while a majority of the voters sees it up. Such a node changes no
 * table, for it has one vote; it is named, because its cable and not the members want repair.
 */
final class Blindness {
    /** One member down may be that member's path; in a pool of one it is all there is. */
    private static final int MEMBERS_MIN = 2;

    private Blindness() {}

    /**
     * Looks, and says it once of this node itself and, if this node leads, of the others. Who was found blind stays so
     * until it sees something itself: when a second observer goes blind there is no majority left to compare with,
     * which gives nobody the sight back.
     */
    static void look(Turn turn) {
        NodeState state = turn.state();
        SortedMap<NodeId, BlindObserver> blind = new TreeMap<>();
        if (!turn.service.blind().isEmpty()) {
            Observations observations = new Observations(state, turn.now);
            turn.service.blind().forEach((node, since) -> {
                if (spokenOf(turn, node) && stays(turn, node, since, observations)) {
                    blind.put(node, since);
                }
            });
        }
        find(state, turn.now).forEach((node, found) -> {
            if (spokenOf(turn, node) && blind.putIfAbsent(node, found) == null) {
                turn.say(Severity.WARNING, "blind-observer", "observer is blind: %s", found.text());
                turn.news = true;
            }
        });
        turn.service = turn.service.with(blind);
    }

    private static boolean spokenOf(Turn turn, NodeId node) {
        return node.equals(turn.settings.self()) || turn.log.leadership() instanceof Leadership.Leading;
    }

    private static boolean stays(Turn turn, NodeId node, BlindObserver blind, Observations observations) {
        Pool pool = turn.log.cluster().model().pools().get(blind.poolId());
        if (pool == null) {
            return false;
        }
        SortedSet<NodeId> seers = new TreeSet<>();
        turn.log
                .cluster()
                .model()
                .presentMembersOf(pool.id())
                .forEach(member -> observations.of(member.id()).stream()
                        .filter(seen -> seen.health() == Health.UP
                                && seen.age().compareTo(Verdicts.freshFor(pool.monitor())) <= 0)
                        .forEach(seen -> seers.add(seen.observer())));
        if (seers.contains(node)) {
            turn.say(Severity.INFO, "blind-observer-sees", "observer sees again: %s", node);
            turn.news = true;
        } else if (seers.isEmpty()) {
            turn.say(
                    Severity.INFO,
                    "blind-observer-confirmed",
                    "observer is not alone: nobody sees a member of pool %s up any more, as %s does",
                    pool.name(),
                    node);
            turn.news = true;
        }
        return !seers.isEmpty() && !seers.contains(node);
    }

    /** Returns the nodes that are blind, as far as this node has heard. */
    private static SortedMap<NodeId, BlindObserver> find(NodeState state, MonotonicTime now) {
        SortedMap<NodeId, BlindObserver> blind = new TreeMap<>();
        SortedMap<Integer, SortedSet<NodeId>> candidates = candidates(state);
        if (candidates.isEmpty()) {
            return blind;
        }
        Observations observations = new Observations(state, now);
        candidates.forEach((poolId, nodes) -> {
            Pool pool = state.cluster().model().pools().get(poolId);
            if (pool != null) {
                List<List<Observation>> up = seenUp(state, pool, observations);
                nodes.stream()
                        .filter(node ->
                                !up.isEmpty() && up.stream().allMatch(seen -> seesDown(node, seen, pool.monitor())))
                        .forEach(node -> blind.putIfAbsent(
                                node,
                                new BlindObserver(
                                        pool.id(),
                                        "%s sees all %d members of pool %s down that a majority sees up"
                                                .formatted(node, up.size(), pool.name()))));
            }
        });
        return blind;
    }

    /** Returns what was seen of each member of the pool that a majority sees up; nothing if these are too few. */
    private static List<List<Observation>> seenUp(NodeState state, Pool pool, Observations observations) {
        List<Member> members = state.cluster().model().presentMembersOf(pool.id());
        List<List<Observation>> up = members.stream()
                .map(member -> observations.of(member.id()))
                .filter(seen -> Verdicts.decide(seen, state.settings().voters(), pool.monitor()) instanceof Verdict.Up)
                .toList();
        return up.size() >= MEMBERS_MIN || up.size() == members.size() ? up : List.of();
    }

    /** Returns by pool the nodes that see members of it down and none up. Almost always nobody does. */
    private static SortedMap<Integer, SortedSet<NodeId>> candidates(NodeState state) {
        SortedMap<Integer, SortedSet<NodeId>> candidates = new TreeMap<>();
        boolean seesDown = state.probes().values().stream()
                .anyMatch(probe -> probe.health().filter(Health.DOWN::equals).isPresent());
        if (seesDown) {
            candidate(state, state.settings().self(), state.ownObservations(state.steppedAt()), candidates);
        }
        state.gossip().held().forEach((node, held) -> {
            if (held.seesDown()) {
                candidate(state, node, held.observationsThen(), candidates);
            }
        });
        return candidates;
    }

    private static void candidate(
            NodeState state,
            NodeId node,
            List<Observation> observations,
            SortedMap<Integer, SortedSet<NodeId>> candidates) {
        SortedMap<Integer, Member> members = state.cluster().model().members();
        SortedSet<Integer> dark = new TreeSet<>();
        SortedSet<Integer> seenUp = new TreeSet<>();
        for (Observation seen : observations) {
            Member member = members.get(seen.memberId());
            if (member != null) {
                (seen.health() == Health.DOWN ? dark : seenUp).add(member.poolId());
            }
        }
        dark.removeAll(seenUp);
        dark.forEach(
                pool -> candidates.computeIfAbsent(pool, _ -> new TreeSet<>()).add(node));
    }

    private static boolean seesDown(NodeId node, List<Observation> observations, HealthMonitor monitor) {
        return observations.stream()
                .anyMatch(seen -> seen.observer().equals(node)
                        && seen.health() == Health.DOWN
                        && seen.age().compareTo(Verdicts.freshFor(monitor)) <= 0);
    }
}
