package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.List;
import java.util.Optional;

/**
 * The table over all enabled members of a pool, whatever their health: what a listener that fails open uses while the pool
 * is empty. A function of what is committed alone, so that all nodes have the same.
 */
final class FailingOpen {
    private FailingOpen() {}

    /**
     * Returns the table; empty if no listener of the pool fails open, or if its weights give no table.
     *
     * @param generation whose members, weights and number of slots it has
     * @param before what the pool forwarded by so far: its table is taken if it is the same, for building one costs
     */
    static Optional<SlotTable> table(ClusterState cluster, PoolGeneration generation, Optional<ServedPool> before) {
        boolean needed = cluster.model().listenersOf(generation.poolId()).stream()
                .anyMatch(listener -> listener.whenEmpty() instanceof EmptyPolicy.FailOpen);
        if (!needed) {
            return Optional.empty();
        }
        PoolDefinition definition = definition(cluster, generation);
        if (definition.refusal().isPresent()) {
            return Optional.empty();
        }
        return before.flatMap(ServedPool::failOpen)
                .filter(table -> table.definition().equals(definition))
                .or(() -> Optional.of(SlotTable.build(definition)));
    }

    /** Returns what the table is built from: the members of the generation, each with its weight if it is enabled. */
    static PoolDefinition definition(ClusterState cluster, PoolGeneration generation) {
        List<TableMember> members = generation.members().stream()
                .map(member -> new TableMember(
                        member.id(), member.key(), member.weight(), enabled(cluster, member) ? member.weight() : 0))
                .toList();
        return new PoolDefinition(generation.algorithm(), generation.poolId(), generation.slots(), members);
    }

    private static boolean enabled(ClusterState cluster, TableMember member) {
        return Optional.ofNullable(cluster.model().members().get(member.id()))
                .filter(cluster::wants)
                .isPresent();
    }
}
