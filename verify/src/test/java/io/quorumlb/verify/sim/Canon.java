package io.quorumlb.verify.sim;

import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the cluster has committed, as the test has seen it: the first node that applies something makes it true for all. */
final class Canon {
    /**
     * A committed generation.
     *
     * @param generation as applied first
     * @param owners member id by slot, of the table that it defines
     */
    record Committed(PoolGeneration generation, List<Integer> owners) {}

    private final SortedMap<Long, ClusterState> states = new TreeMap<>();
    private final SortedMap<Long, Command> makers = new TreeMap<>();
    private final SortedMap<Long, List<Command>> done = new TreeMap<>();
    private final SortedMap<RequestId, Outcome.Done> requests = new TreeMap<>();
    private final SortedMap<Integer, SortedMap<Long, Committed>> generations = new TreeMap<>();
    private final SortedMap<NodeId, SortedMap<Integer, Long>> numbers = new TreeMap<>();
    private final SortedSet<Integer> eligibleOnce = new TreeSet<>();
    private final SortedSet<Integer> emptyOnce = new TreeSet<>();
    private final SortedMap<Integer, List<FailOpenTable>> failOpen = new TreeMap<>();
    private ClusterState latest = ClusterState.empty();
    private long lastIndex;

    /** Takes in what a node has applied; returns true if nobody had before. */
    boolean applied(NodeId node, long index, ClusterState state) {
        ClusterState known = states.putIfAbsent(index, state);
        if (known != null && !known.equals(state)) {
            throw new Violation(
                    Invariant.ONE_HISTORY,
                    "%s has another state at index %d: revision %d, first seen %d"
                            .formatted(node, index, state.revision(), known.revision()));
        }
        state.history().forEach((pool, history) -> generations(node, pool, history));
        boolean first = index > lastIndex;
        if (first) {
            lastIndex = index;
            latest = state;
            emptyOnce.addAll(state.emptySince().keySet());
            state.history().forEach((pool, history) -> failOpen(state, pool, history.getLast()));
        }
        return first;
    }

    /**
     * The table over all enabled members, as it follows from what is committed.
     *
     * @param definition what it is built from
     * @param owners member id by slot
     */
    private record FailOpenTable(PoolDefinition definition, List<Integer> owners) {}

    private void failOpen(ClusterState state, int pool, PoolGeneration generation) {
        var definition = new PoolDefinition(
                generation.algorithm(),
                pool,
                generation.slots(),
                generation.members().stream()
                        .map(member -> member.withEffective(enabled(state, member) ? member.weight() : 0))
                        .toList());
        List<FailOpenTable> tables = failOpen.computeIfAbsent(pool, _ -> new ArrayList<>());
        boolean known = tables.stream().anyMatch(table -> table.definition.equals(definition));
        if (!known && definition.refusal().isEmpty()) {
            tables.add(new FailOpenTable(definition, SlotOwners.of(SlotTable.build(definition))));
        } else if (known) {
            // The latest is last.
            tables.stream()
                    .filter(table -> table.definition.equals(definition))
                    .findFirst()
                    .ifPresent(table -> {
                        tables.remove(table);
                        tables.add(table);
                    });
        }
    }

    private static boolean enabled(ClusterState state, TableMember member) {
        return Optional.ofNullable(state.model().members().get(member.id()))
                .filter(state::wants)
                .isPresent();
    }

    /** Returns true if the table over all enabled members had these owners at some time. */
    boolean wasFailOpen(int pool, List<Integer> owners) {
        return failOpen.getOrDefault(pool, List.of()).stream().anyMatch(table -> table.owners.equals(owners));
    }

    /** Returns the owners of the slots of the table over all enabled members as of now. */
    List<Integer> failOpen(int pool) {
        return failOpen.getOrDefault(pool, List.of()).getLast().owners;
    }

    /** Returns true if the pool has ever counted as empty. */
    boolean wasEmpty(int pool) {
        return emptyOnce.contains(pool);
    }

    private void generations(NodeId node, int pool, List<PoolGeneration> history) {
        SortedMap<Integer, Long> ofNode = numbers.computeIfAbsent(node, _ -> new TreeMap<>());
        long highest = ofNode.getOrDefault(pool, 0L);
        long before = 0;
        for (PoolGeneration generation : history) {
            if (before != 0 && generation.number() != before + 1) {
                throw new Violation(
                        Invariant.NUMBERS_WITHOUT_GAPS,
                        "pool %d on %s: generation %d follows %d".formatted(pool, node, generation.number(), before));
            }
            before = generation.number();
            if (before >= highest) {
                committed(node, generation);
            }
        }
        if (before < highest) {
            throw new Violation(
                    Invariant.NUMBERS_WITHOUT_GAPS,
                    "pool %d on %s: generation falls from %d to %d".formatted(pool, node, highest, before));
        }
        ofNode.put(pool, before);
    }

    private void committed(NodeId node, PoolGeneration generation) {
        SortedMap<Long, Committed> ofPool = generations.computeIfAbsent(generation.poolId(), _ -> new TreeMap<>());
        Committed known = ofPool.get(generation.number());
        if (known != null) {
            if (!known.generation.equals(generation)) {
                throw new Violation(
                        Invariant.ONE_DIGEST_PER_NUMBER,
                        "pool %d generation %d is %s on %s, was %s first"
                                .formatted(
                                        generation.poolId(),
                                        generation.number(),
                                        generation.expected(),
                                        node,
                                        known.generation.expected()));
            }
            return;
        }
        long next = ofPool.isEmpty() ? 1 : ofPool.lastKey() + 1;
        if (generation.number() != next) {
            throw new Violation(
                    Invariant.NUMBERS_WITHOUT_GAPS,
                    "pool %d: %s commits generation %d, the next is %d"
                            .formatted(generation.poolId(), node, generation.number(), next));
        }
        SlotTable table = generation.build();
        if (!table.digest().equals(generation.expected())) {
            throw new Violation(
                    Invariant.ONE_DIGEST_PER_NUMBER,
                    "pool %d generation %d: committed digest %s, its definition builds %s"
                            .formatted(
                                    generation.poolId(), generation.number(), generation.expected(), table.digest()));
        }
        ofPool.put(generation.number(), new Committed(generation, SlotOwners.of(table)));
        generation.eligible().stream().map(TableMember::id).forEach(eligibleOnce::add);
    }

    /** A node that starts applies again what it has on its disk. */
    void started(NodeId node) {
        numbers.remove(node);
    }

    /** Takes in that a command made a revision of the configuration, or found done at that revision what it asks. */
    void configured(long before, long revision, Command command) {
        if (revision > before) {
            Command known = makers.putIfAbsent(revision, command);
            if (known != null && !known.equals(command)) {
                throw new Violation(
                        Invariant.ONE_HISTORY,
                        "revision %d was made by %s and now by %s".formatted(revision, known, command));
            }
        }
        List<Command> all = done.computeIfAbsent(revision, _ -> new ArrayList<>());
        if (!all.contains(command)) {
            all.add(command);
        }
    }

    /** Takes in what a write that says who it is was answered: once it has made a revision, always the same. */
    void answered(RequestId request, long before, Applied applied) {
        Outcome.Done known = requests.get(request);
        if (known != null && before >= known.revision() && !applied.outcome().equals(known)) {
            throw new Violation(
                    Invariant.WRITE_DONE_ONCE,
                    "write %s made revision %d, asked again at revision %d it got %s"
                            .formatted(request, known.revision(), before, applied.outcome()));
        }
        if (applied.state().revision() > before && applied.outcome() instanceof Outcome.Done done) {
            requests.putIfAbsent(request, done);
        }
    }

    /** Returns the commands that were done at the revision. */
    List<Command> done(long revision) {
        return done.getOrDefault(revision, List.of());
    }

    /** Returns the state at an index that a node has applied. */
    ClusterState at(long index) {
        return states.getOrDefault(index, ClusterState.empty());
    }

    long lastIndex() {
        return lastIndex;
    }

    ClusterState latest() {
        return latest;
    }

    Optional<Committed> generation(int pool, long number) {
        return Optional.ofNullable(
                generations.getOrDefault(pool, new TreeMap<>()).get(number));
    }

    /** Returns true if some committed generation of the pool has these owners. */
    boolean isCommitted(int pool, List<Integer> owners) {
        return generations.getOrDefault(pool, new TreeMap<>()).values().stream()
                .anyMatch(committed -> committed.owners.equals(owners));
    }

    boolean wasEligible(int member) {
        return eligibleOnce.contains(member);
    }
}
