package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which pools count as empty. A pool begins to when a generation has no member that takes traffic, and ends when one has
 * as many as the pool asks for: with fewer, all clients would fall on the first member that comes back. A pool that only
 * shrinks is not empty.
 */
final class EmptyPools {
    private EmptyPools() {}

    /**
     * Returns the pools that count as empty after the configuration changed, with the generation since. Only a generation
     * makes a pool empty: no other can have become so.
     */
    static SortedMap<Integer, Long> of(ClusterState state) {
        SortedMap<Integer, Long> empty = new TreeMap<>();
        state.emptySince()
                .keySet()
                .forEach(id ->
                        Optional.ofNullable(state.model().pools().get(id)).ifPresent(pool -> put(state, pool, empty)));
        return empty;
    }

    /** Returns the same after one pool got a generation. */
    static SortedMap<Integer, Long> of(ClusterState state, int poolId) {
        SortedMap<Integer, Long> empty = new TreeMap<>(state.emptySince());
        empty.remove(poolId);
        Optional.ofNullable(state.model().pools().get(poolId)).ifPresent(pool -> put(state, pool, empty));
        return empty;
    }

    private static void put(ClusterState state, Pool pool, SortedMap<Integer, Long> empty) {
        state.generation(pool.id())
                .map(generation -> since(state, pool, generation))
                .orElse(OptionalLong.empty())
                .ifPresent(number -> empty.put(pool.id(), number));
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
