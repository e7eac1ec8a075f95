package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which pools count as empty. A pool begins to when a generation has no member that takes traffic, and ends when one has
 * as many as the pool asks for: with fewer, all clients would fall on the first member that comes back. A pool that only
 * shrinks is not empty.
 */
final class EmptyPools {
    private EmptyPools() {}

    /**
     * Returns the pools that count as empty after the configuration changed, with the generation since. Only a generation
     * makes a pool empty, and how many members are enough depends on its own members only.
     */
    static IdMap<Long> of(ClusterState before, ClusterState state) {
        SortedSet<Integer> pools =
                new TreeSet<>(state.model().pools().changedSince(before.model().pools()));
        SortedSet<Integer> members = new TreeSet<>(
                state.model().members().changedSince(before.model().members()));
        if (!state.timers().equals(before.timers())) {
            members.addAll(before.timers().members().keySet());
            members.addAll(state.timers().members().keySet());
        }
        for (int id : members) {
            pools.addAll(poolsOf(before, id));
            pools.addAll(poolsOf(state, id));
        }
        IdMap<Long> empty = state.emptySince();
        for (int id : pools) {
            empty = empty.containsKey(id) ? put(state, id, empty) : empty;
        }
        return empty;
    }

    private static List<Integer> poolsOf(ClusterState state, int member) {
        return Optional.ofNullable(state.model().members().get(member)).stream()
                .map(Member::poolId)
                .toList();
    }

    /** Returns the same after one pool got a generation. */
    static IdMap<Long> of(ClusterState state, int poolId) {
        return put(state, poolId, state.emptySince());
    }

    private static IdMap<Long> put(ClusterState state, int poolId, IdMap<Long> empty) {
        OptionalLong since = Optional.ofNullable(state.model().pools().get(poolId))
                .flatMap(pool -> state.generation(poolId).map(generation -> since(state, pool, generation)))
                .orElse(OptionalLong.empty());
        return since.isPresent() ? empty.with(poolId, since.getAsLong()) : empty.without(poolId);
    }

    private static OptionalLong since(ClusterState state, Pool pool, PoolGeneration generation) {
        Optional<Long> before = Optional.ofNullable(state.emptySince().get(pool.id()));
        int eligible = generation.eligible().size();
        if (eligible == 0) {
            return OptionalLong.of(before.orElse(generation.number()));
        }
        return before.isPresent() && eligible < enough(state, pool)
                ? OptionalLong.of(before.get())
                : OptionalLong.empty();
    }

    /** More members than can come cannot be waited for. */
    private static long enough(ClusterState state, Pool pool) {
        long enabled = state.model().membersOf(pool.id()).stream()
                .filter(state::wants)
                .filter(member -> member.ceiling() > 0)
                .count();
        return Math.min(pool.minEligible(), enabled);
    }
}
