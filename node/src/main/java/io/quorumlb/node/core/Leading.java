package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Evidences;
import io.quorumlb.consensus.plan.Hold;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.plan.Planner;
import io.quorumlb.consensus.plan.PoolView;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What only the leader does: propose generations. */
final class Leading {
    private static final Duration PROPOSAL_LOST = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(200);

    /** The state machine says no to what the planner made of its own state: a defect, which haste does not cure. */
    private static final Duration REFUSED_RETRY = Duration.ofSeconds(5);

    /** Time alone changes little: what is heard is looked at at once. */
    private static final Duration LOOK = Duration.ofMillis(100);

    /** A look is at all members: with thousands of them a tenth or so of a processor at most is spent on looks. */
    private static final Duration PAUSE_A_THOUSAND = Duration.ofMillis(30);

    private Leading() {}

    static void proposalFinished(Turn turn, Command.CommitGeneration command, ProposeOutcome outcome) {
        int poolId = command.poolId();
        Proposal proposal = turn.proposals.get(poolId);
        if (proposal == null) {
            return;
        }
        switch (outcome) {
            case ProposeOutcome.Committed(Outcome.Done _) -> {
                // The entry itself comes through the log; until then the same change must not be proposed again.
            }
            case ProposeOutcome.Committed(Outcome.Refused refused) -> {
                if (refused.cause() == Outcome.Cause.STALE) {
                    turn.proposals.remove(poolId);
                } else {
                    turn.say(
                            Severity.WARNING,
                            "generation-refused",
                            "generation refused pool=%d reason=\"%s\"",
                            poolId,
                            refused.message());
                    turn.proposals.put(poolId, proposal.until(turn.now.plus(REFUSED_RETRY)));
                }
            }
            // The next leader plans it.
            case ProposeOutcome.NotLeader _ -> turn.proposals.put(poolId, proposal.until(turn.now.plus(RETRY)));
            case ProposeOutcome.Unknown(String reason) -> {
                turn.say(
                        Severity.WARNING,
                        "generation-unknown",
                        "generation may be committed or not pool=%d reason=\"%s\"",
                        poolId,
                        reason);
                turn.proposals.put(poolId, proposal.until(turn.now.plus(RETRY)));
            }
        }
    }

    /** Returns true if something was heard, or it is time to look again. */
    static boolean looks(Turn turn) {
        MonotonicTime last = turn.lead.lookedAt();
        Duration pause = PAUSE_A_THOUSAND.multipliedBy(
                turn.log.cluster().model().members().size() / 1000);
        return turn.now.reached(last.plus(LOOK.compareTo(pause) > 0 ? LOOK : pause))
                || ((turn.news || turn.heard) && turn.now.reached(last.plus(pause)));
    }

    static void due(Turn turn) {
        boolean freed = turn.proposals
                .entrySet()
                .removeIf(entry -> turn.now.reached(entry.getValue().blockedUntil())
                        || turn.log.cluster().generationNumber(entry.getKey())
                                >= entry.getValue().number());
        if (!freed && !looks(turn)) {
            return;
        }
        SortedMap<Integer, List<Observation>> byMember = byMember(turn.state(), turn.now);
        Remembering.look(turn, byMember);
        // A leader whose tables are not what the others build: whatever it planned, they could not install.
        boolean leads = turn.log.leadership() instanceof Leadership.Leading
                && turn.log.caughtUp()
                && Agreement.refuted(turn.state()).isEmpty();
        for (Pool pool : turn.log.cluster().model().pools().values()) {
            if (!leads) {
                holding(turn, pool, Optional.empty(), List.of());
            } else if (!turn.proposals.containsKey(pool.id())) {
                Agreement.correction(turn.state(), pool)
                        .ifPresentOrElse(
                                command -> propose(turn, pool, command, 0, 0), () -> lead(turn, pool, byMember));
            }
        }
    }

    private static void lead(Turn turn, Pool pool, SortedMap<Integer, List<Observation>> byMember) {
        var planned = planned(turn.state(), pool, byMember, turn.now);
        holding(turn, pool, Optional.of(planned), planned.plan().holds());
        if (planned.plan() instanceof Plan.Commit commit) {
            var command = commit.command()
                    .withEvidence(Evidences.of(
                            commit.byHealth(),
                            byMember,
                            turn.settings.voters(),
                            pool.monitor(),
                            (observer, member) ->
                                    turn.lead.member(member, turn.now).since(observer, turn.now)));
            propose(
                    turn,
                    pool,
                    command,
                    commit.movement().moved(),
                    commit.movement().collateral());
        }
    }

    private static void propose(Turn turn, Pool pool, Command.CommitGeneration command, int moved, int collateral) {
        turn.proposals.put(pool.id(), new Proposal(command.number(), turn.now.plus(PROPOSAL_LOST)));
        turn.say(
                Severity.INFO,
                "generation-proposed",
                "generation proposed pool=%s generation=%d digest=%s moved=%d collateral=%d cause=%s reason=\"%s\"",
                pool.name(),
                command.number(),
                command.expected(),
                moved,
                collateral,
                command.cause(),
                command.reason());
        turn.want(new NodeEffect.Propose(command));
    }

    /** Remembers what is held and says, once, what has begun or ended to be; what passes by itself is nobody's news. */
    private static void holding(Turn turn, Pool pool, Optional<PoolTrack.Planned> planned, List<Hold> all) {
        List<Hold> holds = all.stream().filter(hold -> !hold.passing()).toList();
        PoolTrack track = turn.lead.pool(pool.id());
        List<String> before = track.holds().stream().map(Hold::code).toList();
        List<String> after = holds.stream().map(Hold::code).toList();
        holds.stream()
                .filter(hold -> !before.contains(hold.code()))
                .forEach(hold -> turn.say(Severity.WARNING, hold.code(), "pool=%s %s", pool.name(), hold.detail()));
        before.stream()
                .filter(code -> !after.contains(code))
                .forEach(code -> turn.say(Severity.INFO, "hold-ended", "pool=%s %s has ended", pool.name(), code));
        turn.news |= !holds.equals(track.holds());
        PoolTrack next = track.withPlan(planned, holds);
        boolean massFailure = after.contains(Guard.MASS_FAILURE.code());
        turn.lead = turn.lead.withPool(pool.id(), massFailure ? next.withMassFailure(turn.now) : next);
    }

    /** Returns observations by member, ages as of now. */
    static SortedMap<Integer, List<Observation>> byMember(NodeState state, MonotonicTime now) {
        SortedMap<Integer, List<Observation>> byMember = new TreeMap<>();
        state.observations(now)
                .forEach(seen -> byMember.computeIfAbsent(seen.memberId(), _ -> new ArrayList<>())
                        .add(seen));
        return byMember;
    }

    /** Returns what this node would do about the pool if it led. */
    static Plan plan(NodeState state, Pool pool, MonotonicTime now) {
        return planned(state, pool, byMember(state, now), now).plan();
    }

    /** Returns what this node would do if an operator had overridden every guard. */
    static Plan unguarded(NodeState state, Pool pool, MonotonicTime now) {
        SortedSet<Guard> all = new TreeSet<>(List.of(Guard.values()));
        var override = new GuardOverride(all, state.cluster().generationNumber(pool.id()));
        var view = Remembering.view(state, pool, byMember(state, now), now).at(PoolView.Moment.FREE);
        return Planner.plan(state.cluster(), pool.withOverride(override), view);
    }

    private static PoolTrack.Planned planned(
            NodeState state, Pool pool, SortedMap<Integer, List<Observation>> byMember, MonotonicTime now) {
        var view = Remembering.view(state, pool, byMember, now);
        long revision = state.cluster().revision();
        long generation = state.cluster().generationNumber(pool.id());
        return state.lead()
                .pool(pool.id())
                .planned()
                .filter(last -> last.revision() == revision
                        && last.generation() == generation
                        && last.view().equals(view))
                .orElseGet(() ->
                        new PoolTrack.Planned(revision, generation, view, Planner.plan(state.cluster(), pool, view)));
    }
}
