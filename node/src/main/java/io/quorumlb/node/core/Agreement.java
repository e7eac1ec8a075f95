package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides by count who is wrong when nodes build different tables from one generation: the many are right.
 *
 * <p>If a majority of all voters has built the committed digest, a node that has not is diverged and leaves. If a majority
 * has built one other digest, the leader that committed was wrong: nobody leaves, a leader that does not build what they
 * do plans nothing and gives its office away, and one that does commits their digest as a new generation.
 */
final class Agreement {
    private Agreement() {}

    /** Returns what each voter has built from exactly this generation, as far as this node has heard. */
    static SortedMap<NodeId, Digest> built(NodeState state, PoolGeneration generation) {
        SortedMap<NodeId, Digest> built = new TreeMap<>();
        for (NodeId node : state.settings().voters()) {
            Optional<Digest> digest = node.equals(state.settings().self())
                    ? own(state, generation)
                    : Optional.ofNullable(state.gossip().held().get(node)).stream()
                            .flatMap(held -> held.report().stream())
                            .flatMap(report -> report.pools().stream())
                            .filter(pool -> pool.poolId() == generation.poolId()
                                    && pool.generation() == generation.number()
                                    && pool.expected().equals(Optional.of(generation.expected())))
                            .findFirst()
                            .flatMap(PoolReport::built);
            digest.ifPresent(value -> built.put(node, value));
        }
        return built;
    }

    private static Optional<Digest> own(NodeState state, PoolGeneration generation) {
        return Optional.ofNullable(state.datapath().built().get(generation.poolId()))
                .filter(table -> table.generation().equals(generation))
                .map(BuiltTable::digest);
    }

    /** Returns the digest that a majority of all voters has built from the generation. */
    static Optional<Digest> majority(NodeState state, PoolGeneration generation) {
        SortedMap<NodeId, Digest> built = built(state, generation);
        return built.values().stream()
                .filter(digest -> built.values().stream().filter(digest::equals).count()
                        >= state.settings().majority())
                .findFirst();
    }

    /** Returns what is wrong if this node is the one that is. */
    static Optional<String> diverged(NodeState state, Pool pool, PoolGeneration generation) {
        Optional<Digest> own = own(state, generation);
        if (own.isEmpty() || own.get().equals(generation.expected())) {
            return Optional.empty();
        }
        return majority(state, generation)
                .filter(generation.expected()::equals)
                .map(many -> "diverged: built %s from generation %d of pool %s, a majority built the committed %s"
                        .formatted(own.get(), generation.number(), pool.name(), many));
    }

    /**
     * A leader that builds another table than a majority does.
     *
     * @param reason for people
     * @param better nodes that build what the majority does, other than this one
     */
    record Refuted(String reason, SortedSet<NodeId> better) {
        Refuted {
            better = new TreeSet<>(better);
        }
    }

    /** Returns why this node must not plan, if a majority builds other tables than it does. */
    static Optional<Refuted> refuted(NodeState state) {
        if (nobodyDiffers(state)) {
            return Optional.empty();
        }
        for (Pool pool : state.cluster().model().pools().values()) {
            Optional<Refuted> refuted =
                    state.cluster().generation(pool.id()).flatMap(generation -> refuted(state, pool, generation));
            if (refuted.isPresent()) {
                return refuted;
            }
        }
        return Optional.empty();
    }

    /** Almost always everybody builds what is committed, and there is nothing to count. */
    static boolean nobodyDiffers(NodeState state) {
        return state.datapath().built().values().stream().allMatch(BuiltTable::asExpected)
                && state.gossip().held().values().stream()
                        .flatMap(held -> held.report().stream())
                        .flatMap(report -> report.pools().stream())
                        .allMatch(pool -> pool.built().isEmpty() || pool.built().equals(pool.expected()));
    }

    private static Optional<Refuted> refuted(NodeState state, Pool pool, PoolGeneration generation) {
        Optional<Digest> own = own(state, generation);
        return own.flatMap(mine -> majority(state, generation).filter(many -> !many.equals(mine)))
                .map(many -> {
                    SortedSet<NodeId> better = new TreeSet<>();
                    built(state, generation).forEach((node, digest) -> {
                        if (digest.equals(many)) {
                            better.add(node);
                        }
                    });
                    return new Refuted(
                            "built %s from generation %d of pool %s, a majority built %s"
                                    .formatted(own.get(), generation.number(), pool.name(), many),
                            better);
                });
    }

    /**
     * Returns the generation that replaces the committed digest by the one that a majority, this node among it, has built
     * from the same members; empty if there is nothing to replace.
     */
    static Optional<Command.CommitGeneration> correction(NodeState state, Pool pool) {
        return state.cluster()
                .generation(pool.id())
                .filter(generation -> {
                    Optional<Digest> many = majority(state, generation);
                    return many.isPresent()
                            && many.equals(own(state, generation))
                            && !many.get().equals(generation.expected());
                })
                .map(generation -> correction(state, pool, generation));
    }

    private static Command.CommitGeneration correction(NodeState state, Pool pool, PoolGeneration generation) {
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        List<TableMember> members = state.cluster().model().membersOf(pool.id()).stream()
                .map(member -> {
                    int effective = generation
                            .member(member.id())
                            .map(TableMember::effectiveWeight)
                            .orElse(0);
                    weights.put(member.id(), effective);
                    return new TableMember(
                            member.id(), member.key(), member.weight(), Math.min(member.weight(), effective));
                })
                .toList();
        return new Command.CommitGeneration(
                pool.id(),
                generation.number() + 1,
                state.cluster().revision(),
                weights,
                SlotTable.build(pool.algorithm(), pool.id(), pool.slots(), members)
                        .digest(),
                "digest %s of generation %d is not what a majority built from it"
                        .formatted(generation.expected(), generation.number()));
    }
}
