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
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What only the leader does: propose generations. */
final class Leading {
    private static final Duration PROPOSAL_LOST = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(200);

    /** The state machine says no to what the planner made of its own state: a defect, which haste does not cure. */
    private static final Duration REFUSED_RETRY = Duration.ofSeconds(5);

    /** Time alone changes little: what is heard is looked at at once. */
    private static final Duration LOOK = Duration.ofMillis(100);

    /** After a look at thousands of members: then a tenth or so of a processor at most is spent on looks. */
    private static final Duration PAUSE_A_THOUSAND = Duration.ofMillis(100);

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
                turn.lead.basis().map(Looks.Basis::members).orElse(0) / 1000);
        return turn.now.reached(last.plus(LOOK.compareTo(pause) > 0 ? LOOK : pause))
                || ((turn.news || turn.heard) && turn.now.reached(last.plus(pause)));
    }

    static void due(Turn turn) {
        SortedSet<Integer> freed = freed(turn);
        if (freed.isEmpty() && !looks(turn)) {
            return;
        }
        boolean agreed = Agreement.nobodyDiffers(turn.state());
        Looks.Look look = Looks.next(turn, freed, !agreed);
        Observations observations = new Observations(turn.state(), turn.now);
        Remembering.look(turn, look, observations);
        // A leader whose tables are not what the others build: whatever it planned, they could not install.
        boolean leads = turn.log.leadership() instanceof Leadership.Leading
                && turn.log.caughtUp()
                && Agreement.refuted(turn.state()).isEmpty();
        for (Pool pool : look.pools()) {
            if (!leads) {
                holding(turn, pool, Optional.empty(), List.of());
            } else if (!turn.proposals.containsKey(pool.id())) {
                Optional<Command.CommitGeneration> correction =
                        agreed ? Optional.empty() : Agreement.correction(turn.state(), pool);
                correction.ifPresentOrElse(
                        command -> propose(turn, pool, command, 0, 0), () -> lead(turn, pool, observations));
            }
        }
    }

    /** Forgets proposals that are committed or lost, and returns their pools: they may be planned anew. */
    private static SortedSet<Integer> freed(Turn turn) {
        SortedSet<Integer> freed = new TreeSet<>();
        turn.proposals.forEach((id, proposal) -> {
            if (turn.now.reached(proposal.blockedUntil())
                    || turn.log.cluster().generationNumber(id) >= proposal.number()) {
                freed.add(id);
            }
        });
        turn.proposals.keySet().removeAll(freed);
        return freed;
    }

    private static void lead(Turn turn, Pool pool, Observations observations) {
        var planned = planned(turn.state(), pool, observations, turn.now);
        holding(turn, pool, Optional.of(planned), planned.plan().holds());
        if (planned.plan() instanceof Plan.Commit commit) {
            var command = commit.command()
                    .withEvidence(Evidences.of(
                            commit.byHealth(),
                            observations::of,
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

    /** Returns what this node would do about the pool if it led. */
    static Plan plan(NodeState state, Pool pool, MonotonicTime now) {
        return planned(state, pool, new Observations(state, now), now).plan();
    }

    /** Returns what this node would do if an operator had overridden every guard. */
    static Plan unguarded(NodeState state, Pool pool, MonotonicTime now) {
        SortedSet<Guard> all = new TreeSet<>(List.of(Guard.values()));
        var override = new GuardOverride(all, state.cluster().generationNumber(pool.id()));
        var view =
                Remembering.view(state, pool, new Observations(state, now), now).at(PoolView.Moment.FREE);
        return Planner.plan(state.cluster(), pool.withOverride(override), view);
    }

    private static PoolTrack.Planned planned(NodeState state, Pool pool, Observations observations, MonotonicTime now) {
        var view = Remembering.view(state, pool, observations, now);
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
