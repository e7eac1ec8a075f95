package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.plan.Planner;
import io.quorumlb.consensus.plan.Verdict;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What only the leader does: propose generations. */
final class Leading {
    private static final Duration PROPOSAL_LOST = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(200);

    /** The state machine says no to what the planner made of its own state: a defect, which haste does not cure. */
    private static final Duration REFUSED_RETRY = Duration.ofSeconds(5);

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

    static void due(Turn turn) {
        turn.proposals
                .entrySet()
                .removeIf(entry -> turn.now.reached(entry.getValue().blockedUntil())
                        || turn.log.cluster().generationNumber(entry.getKey())
                                >= entry.getValue().number());
        if (!(turn.log.leadership() instanceof Leadership.Leading) || !turn.log.caughtUp()) {
            return;
        }
        if (Agreement.refuted(turn.state()).isPresent()) {
            // Its tables are not what the others build: whatever it planned, they could not install.
            return;
        }
        SortedMap<Integer, List<Observation>> byMember = byMember(turn.state(), turn.now);
        for (Pool pool : turn.log.cluster().model().pools().values()) {
            if (!turn.proposals.containsKey(pool.id())) {
                Agreement.correction(turn.state(), pool)
                        .ifPresentOrElse(
                                command -> propose(turn, pool, command, 0, 0),
                                () -> proposeIfDue(turn, pool, byMember));
            }
        }
    }

    private static void proposeIfDue(Turn turn, Pool pool, SortedMap<Integer, List<Observation>> byMember) {
        if (plan(turn.state(), pool, byMember) instanceof Plan.Commit(var command, var movement)) {
            propose(turn, pool, command, movement.moved(), movement.collateral());
        }
    }

    private static void propose(Turn turn, Pool pool, Command.CommitGeneration command, int moved, int collateral) {
        turn.proposals.put(pool.id(), new Proposal(command.number(), turn.now.plus(PROPOSAL_LOST)));
        turn.say(
                Severity.INFO,
                "generation-proposed",
                "generation proposed pool=%s generation=%d digest=%s moved=%d collateral=%d reason=\"%s\"",
                pool.name(),
                command.number(),
                command.expected(),
                moved,
                collateral,
                command.reason());
        turn.want(new NodeEffect.Propose(command));
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
    static Plan plan(NodeState state, Pool pool, SortedMap<Integer, List<Observation>> byMember) {
        SortedMap<Integer, Verdict> verdicts = new TreeMap<>();
        state.cluster()
                .model()
                .membersOf(pool.id())
                .forEach(member -> verdicts.put(
                        member.id(),
                        Verdicts.decide(
                                byMember.getOrDefault(member.id(), List.of()),
                                state.settings().voters(),
                                pool.monitor())));
        return Planner.plan(state.cluster(), pool, verdicts);
    }
}
