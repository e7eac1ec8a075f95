package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds out whether this node should be sent traffic: not while it cannot do what is committed. It only wishes; the leader
 * grants, so that never all nodes leave, and the node acts on what is committed.
 *
 * <p>A contradiction must last: a member that has just come up is seen by one node up to an interval later than by another.
 */
final class Serving {
    private static final Duration PERIOD = Duration.ofMillis(200);
    /** A look is at all members: of thousands it must not take the processor from what is new. Far less than the patience. */
    private static final Duration PERIOD_A_THOUSAND = Duration.ofMillis(100);

    private static final Duration PATIENCE_MIN = Duration.ofSeconds(3);
    private static final int PATIENCE_INTERVALS = 2;
    private static final int SHOWN_MAX = 3;

    private Serving() {}

    static void due(Turn turn) {
        if (!turn.now.reached(turn.service.nextLook())) {
            return;
        }
        int thousands = turn.log.cluster().model().members().size() / 1000;
        turn.service = turn.service.lookedAt(turn.now.plus(PERIOD).plus(PERIOD_A_THOUSAND.multipliedBy(thousands)));
        Blindness.look(turn);
        if (turn.log.caughtUp()) {
            look(turn);
        }
    }

    private static void look(Turn turn) {
        boolean in = turn.log.cluster().inService(turn.settings.self());
        if (in && turn.service.returning()) {
            turn.service = turn.service.returned(false);
        }
        if (!in && turn.service.wantsOut().isEmpty() && !turn.service.returning()) {
            // An earlier life of this node left: the rounds that bring it back are counted anew.
            turn.service =
                    turn.service.leaving(turn.log.cluster().outOfService().getOrDefault(turn.settings.self(), ""));
        }
        Optional<String> contradiction = contradiction(turn);
        if (contradiction.isPresent()) {
            Optional<MonotonicTime> since = turn.service.contradictedSince().or(() -> Optional.of(turn.now));
            turn.service = turn.service.since(since, Optional.empty());
            boolean lasts = turn.now.since(since.get()).compareTo(patience(turn)) > 0;
            if (lasts && turn.service.wantsOut().isEmpty()) {
                leave(turn, contradiction.get());
            }
            return;
        }
        Optional<MonotonicTime> good =
                seesAll(turn) ? turn.service.goodSince().or(() -> Optional.of(turn.now)) : Optional.empty();
        turn.service = turn.service.since(Optional.empty(), good);
        boolean lasts = good.filter(since -> turn.now.since(since).compareTo(goodRounds(turn)) >= 0)
                .isPresent();
        if (lasts && !turn.service.wantsOut().isEmpty()) {
            turn.say(Severity.INFO, "service-wish", "wants to serve again: sees what is committed");
            turn.service = turn.service.returned(!in);
            turn.news = true;
        }
    }

    private static void leave(Turn turn, String reason) {
        turn.say(Severity.WARNING, "service-wish", "wants to leave service reason=\"%s\"", reason);
        turn.service = turn.service.leaving(reason);
        turn.news = true;
    }

    private static Duration patience(Turn turn) {
        Duration longest = monitors(turn).stream()
                .map(monitor -> monitor.interval().multipliedBy(PATIENCE_INTERVALS))
                .max(Duration::compareTo)
                .orElse(PATIENCE_MIN);
        return longest.compareTo(PATIENCE_MIN) > 0 ? longest : PATIENCE_MIN;
    }

    /** A node returns after as many good rounds as make a member up. */
    private static Duration goodRounds(Turn turn) {
        return monitors(turn).stream()
                .map(monitor -> monitor.interval().multipliedBy(monitor.rise()))
                .max(Duration::compareTo)
                .orElse(PERIOD);
    }

    private static List<HealthMonitor> monitors(Turn turn) {
        return turn.log.cluster().model().pools().values().stream()
                .map(Pool::monitor)
                .toList();
    }

    /** Returns what this node cannot do of what is committed, if it knows something. */
    private static Optional<String> contradiction(Turn turn) {
        NodeState state = turn.state();
        Optional<String> differs = Fingerprinting.contradiction(state);
        if (differs.isPresent()) {
            return differs;
        }
        for (Pool pool : turn.log.cluster().model().pools().values()) {
            Optional<PoolGeneration> generation = turn.log.cluster().generation(pool.id());
            if (generation.isPresent()) {
                Optional<String> found = Agreement.diverged(state, pool, generation.get())
                        .or(() -> Optional.of(generation.get())
                                .filter(Serving::chosenByHealth)
                                .flatMap(chosen -> down(turn, pool, chosen)))
                        .or(() -> withoutNeighbour(state, pool, generation.get()));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** In panic members take traffic though they are seen down: that contradicts nothing. */
    private static boolean chosenByHealth(PoolGeneration generation) {
        return generation.cause() != GenerationCause.PANIC;
    }

    private static Optional<String> down(Turn turn, Pool pool, PoolGeneration generation) {
        List<TableMember> eligible = generation.eligible();
        List<String> down = new ArrayList<>();
        for (TableMember member : eligible) {
            MemberProbe probe = turn.probes.get(member.id());
            if (probe != null
                    && !heldUp(turn, member)
                    && probe.health().equals(Optional.of(Health.DOWN))
                    && probe.fresh(turn.now, Verdicts.freshFor(pool.monitor()))) {
                down.add(name(turn, member));
            }
        }
        if (down.isEmpty()) {
            return Optional.empty();
        }
        String shown = String.join(", ", down.subList(0, Math.min(SHOWN_MAX, down.size())));
        return Optional.of("sees %d of %d members of pool %s down that are committed as eligible: %s%s"
                .formatted(down.size(), eligible.size(), pool.name(), shown, down.size() > SHOWN_MAX ? ", ..." : ""));
    }

    /** An operator's word is no news of this node's cable. */
    private static boolean heldUp(Turn turn, TableMember member) {
        return turn.log.cluster().held(member.id()).equals(Optional.of(Health.UP));
    }

    private static String name(Turn turn, TableMember member) {
        Member configured = turn.log.cluster().model().members().get(member.id());
        return configured == null ? member.key().toString() : configured.name();
    }

    private static Optional<String> withoutNeighbour(NodeState state, Pool pool, PoolGeneration generation) {
        ServedPool serving = state.datapath().serving().get(pool.id());
        if (serving != null && serving.generation() == generation.number()) {
            return Optional.empty();
        }
        PoolReport report = Reporting.pool(state, pool, state.steppedAt());
        return report.state() == InstallState.WAITING_NEIGHBOUR
                ? Optional.of("pool %s: %s".formatted(pool.name(), report.detail()))
                : Optional.empty();
    }

    /** Returns true if this node itself sees every eligible member up: only that makes a round a good one. */
    private static boolean seesAll(Turn turn) {
        return turn.log.cluster().model().pools().values().stream()
                .allMatch(pool -> turn.log.cluster().generation(pool.id()).stream()
                        .filter(Serving::chosenByHealth)
                        .flatMap(generation -> generation.eligible().stream())
                        .allMatch(member -> heldUp(turn, member)
                                || Optional.ofNullable(turn.probes.get(member.id()))
                                        .filter(probe ->
                                                probe.up() && probe.fresh(turn.now, Verdicts.freshFor(pool.monitor())))
                                        .isPresent()));
    }
}
