package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.consensus.pool.PoolSettings;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.TableMember;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is committed of a pool's table and of what guards it. */
final class Generations {
    private Generations() {}

    static Applied commit(ClusterState state, Command.CommitGeneration commit) {
        Optional<Pool> pool = Optional.ofNullable(state.model().pools().get(commit.poolId()));
        if (pool.isEmpty()) {
            return Reply.notFound(state, "generation.pool", "pool with id %d".formatted(commit.poolId()));
        }
        long current = state.generationNumber(commit.poolId());
        if (commit.number() != current + 1) {
            return Reply.refused(
                    state,
                    Cause.STALE,
                    "generation.number",
                    "generation %d of pool %d: %d is the next"
                            .formatted(commit.number(), commit.poolId(), current + 1));
        }
        if (commit.revision() != state.revision()) {
            return Reply.refused(
                    state,
                    Cause.STALE,
                    "generation.revision",
                    "planned from revision %d, now %d".formatted(commit.revision(), state.revision()));
        }
        Optional<Map.Entry<Integer, Integer>> negative = commit.effectiveWeights().entrySet().stream()
                .filter(weight -> weight.getValue() < 0)
                .findFirst();
        if (negative.isPresent()) {
            return Reply.refused(
                    state,
                    Cause.INVALID,
                    "generation.effective_weights",
                    "effective weight %d of member %d is below 0"
                            .formatted(negative.get().getValue(), negative.get().getKey()));
        }
        return switch (commit.footing()) {
            case CONFIGURED ->
                committed(state, commit, pool.get().algorithm(), pool.get().slots(), configured(state, commit));
            case PREVIOUS ->
                state.generation(commit.poolId())
                        .map(before -> committed(
                                state, commit, before.algorithm(), before.slots(), previous(state, before, commit)))
                        .orElseGet(() -> Reply.refused(
                                state,
                                Cause.INVALID,
                                "generation.footing",
                                "pool '%s' has no generation to stand on"
                                        .formatted(pool.get().name())));
        };
    }

    private static Applied committed(
            ClusterState state,
            Command.CommitGeneration commit,
            HashAlgoVersion algorithm,
            int slots,
            List<TableMember> members) {
        PoolGeneration generation = new PoolGeneration(
                commit.poolId(),
                commit.number(),
                commit.revision(),
                algorithm,
                slots,
                members,
                commit.expected(),
                commit.reason(),
                commit.cause(),
                commit.evidence(),
                settings(state, commit.poolId()));
        return new Applied(state.committed(generation), new Outcome.Done(commit.poolId(), state.revision()));
    }

    /** Generations that only health asks for share what is known of the configuration. */
    private static PoolSettings settings(ClusterState state, int poolId) {
        SortedMap<Integer, PoolSettings.OfMember> members = new TreeMap<>();
        state.model()
                .membersOf(poolId)
                .forEach(member -> members.put(
                        member.id(), new PoolSettings.OfMember(member.weight(), member.admin(), member.ceiling())));
        PoolSettings now = new PoolSettings(members);
        return state.generation(poolId)
                .map(PoolGeneration::settings)
                .filter(now::equals)
                .orElse(now);
    }

    private static List<TableMember> configured(ClusterState state, Command.CommitGeneration commit) {
        return state.model().membersOf(commit.poolId()).stream()
                .map(member -> new TableMember(
                        member.id(), member.key(), member.weight(), effective(commit, member.id(), member.weight())))
                .toList();
    }

    /** A member that is deleted or retired takes nothing, whatever stands. */
    private static List<TableMember> previous(
            ClusterState state, PoolGeneration before, Command.CommitGeneration commit) {
        return before.members().stream()
                .map(member -> {
                    Optional<Member> present = Optional.ofNullable(
                                    state.model().members().get(member.id()))
                            .filter(it -> !it.retired());
                    int effective = present.isPresent() ? effective(commit, member.id(), member.weight()) : 0;
                    return new TableMember(member.id(), member.key(), member.weight(), effective);
                })
                .toList();
    }

    private static int effective(Command.CommitGeneration commit, int member, int weight) {
        return Math.min(weight, commit.effectiveWeights().getOrDefault(member, 0));
    }

    static Applied override(ClusterState state, String name, GuardOverride override) {
        Optional<Pool> pool = state.model().pool(name);
        if (pool.isEmpty()) {
            return Reply.notFound(state, "pool.name", "pool '%s'".formatted(name));
        }
        long current = state.generationNumber(pool.get().id());
        if (override.baseGeneration() != current) {
            return Reply.refused(
                    state,
                    Cause.STALE,
                    "override.base_generation",
                    "the override is for what follows generation %d of pool '%s', now %d: look again at what is held"
                            .formatted(override.baseGeneration(), name, current));
        }
        return Reply.changed(
                state,
                state.model().with(pool.get().withOverride(override)),
                pool.get().id());
    }
}
