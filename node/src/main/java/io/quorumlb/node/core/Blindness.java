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
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds observers that see everything of a pool down while a majority of the voters sees it up. Such a node changes no
 * table, for it has one vote; it is named, because its cable and not the members want repair.
 */
final class Blindness {
    /** One member down may be that member's path; in a pool of one it is all there is. */
    private static final int MEMBERS_MIN = 2;

    private Blindness() {}

    /** Looks, and says it once of this node itself and, if this node leads, of the others. */
    static void look(Turn turn) {
        SortedMap<NodeId, String> blind = find(turn.state(), turn.now);
        blind.keySet()
                .removeIf(node ->
                        !node.equals(turn.settings.self()) && !(turn.log.leadership() instanceof Leadership.Leading));
        blind.forEach((node, text) -> {
            if (!turn.service.blind().containsKey(node)) {
                turn.say(Severity.WARNING, "blind-observer", "observer is blind: %s", text);
                turn.news = true;
            }
        });
        turn.service.blind().forEach((node, text) -> {
            if (!blind.containsKey(node)) {
                turn.say(Severity.INFO, "blind-observer-sees", "observer sees again: %s", node);
                turn.news = true;
            }
        });
        turn.service = turn.service.with(blind);
    }

    /** Returns one sentence for each node that is blind, as far as this node has heard. */
    static SortedMap<NodeId, String> find(NodeState state, MonotonicTime now) {
        SortedMap<NodeId, String> blind = new TreeMap<>();
        if (!anyDown(state)) {
            return blind;
        }
        SortedMap<Integer, List<Observation>> byMember = Leading.byMember(state, now);
        for (Pool pool : state.cluster().model().pools().values()) {
            List<Member> members = state.cluster().model().presentMembersOf(pool.id());
            List<List<Observation>> up = new ArrayList<>();
            for (Member member : members) {
                List<Observation> seen = byMember.getOrDefault(member.id(), List.of());
                if (Verdicts.decide(seen, state.settings().voters(), pool.monitor()) instanceof Verdict.Up) {
                    up.add(seen);
                }
            }
            if (!up.isEmpty() && (up.size() >= MEMBERS_MIN || up.size() == members.size())) {
                for (NodeId node : state.settings().voters()) {
                    if (up.stream().allMatch(seen -> seesDown(node, seen, pool.monitor()))) {
                        blind.putIfAbsent(
                                node,
                                "%s sees all %d members of pool %s down that a majority sees up"
                                        .formatted(node, up.size(), pool.name()));
                    }
                }
            }
        }
        return blind;
    }

    /** Almost always nobody sees anything down, and there is nothing to count. */
    private static boolean anyDown(NodeState state) {
        return state.probes().values().stream()
                        .anyMatch(probe ->
                                probe.health().filter(Health.DOWN::equals).isPresent())
                || state.gossip().held().values().stream().anyMatch(HeldRecord::seesDown);
    }

    private static boolean seesDown(NodeId node, List<Observation> observations, HealthMonitor monitor) {
        return observations.stream()
                .anyMatch(seen -> seen.observer().equals(node)
                        && seen.health() == Health.DOWN
                        && seen.age().compareTo(Verdicts.freshFor(monitor)) <= 0);
    }
}
