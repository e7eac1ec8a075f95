package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Movement;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds the next generation of a pool from what is committed and what the voters see. */
public final class Planner {
    private Planner() {}

    /**
     * Plans one pool.
     *
     * @param state committed state
     * @param pool the pool in it
     * @param verdicts by member id; a missing one is undecided
     */
    public static Plan plan(ClusterState state, Pool pool, SortedMap<Integer, Verdict> verdicts) {
        Optional<PoolGeneration> current = state.generation(pool.id());
        List<Member> configured = state.model().membersOf(pool.id());
        if (current.isEmpty() && configured.isEmpty()) {
            return new Plan.Keep();
        }
        List<TableMember> wanted = configured.stream()
                .map(member ->
                        tableMember(member, current, verdicts.getOrDefault(member.id(), new Verdict.Undecided())))
                .toList();
        boolean same = current.filter(generation -> generation.members().equals(wanted)
                        && generation.algorithm() == pool.algorithm()
                        && generation.slots() == pool.slots())
                .isPresent();
        return same ? new Plan.Keep() : commit(state, pool, current, wanted, verdicts);
    }

    private static TableMember tableMember(Member member, Optional<PoolGeneration> current, Verdict verdict) {
        boolean healthy = switch (verdict) {
            case Verdict.Up _ -> true;
            case Verdict.Down _ -> false;
            case Verdict.Undecided _ ->
                current.flatMap(generation -> generation.member(member.id()))
                        .filter(before -> before.effectiveWeight() > 0)
                        .isPresent();
        };
        int effective = member.wanted() && healthy ? member.ceiling() : 0;
        return new TableMember(member.id(), member.key(), member.weight(), effective);
    }

    private static Plan commit(
            ClusterState state,
            Pool pool,
            Optional<PoolGeneration> current,
            List<TableMember> wanted,
            SortedMap<Integer, Verdict> verdicts) {
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        wanted.forEach(member -> weights.put(member.id(), member.effectiveWeight()));
        // Tables of different sizes cannot be compared: all slots of the new one count as moved.
        SlotTable before = current.filter(generation -> generation.slots() == pool.slots())
                .map(PoolGeneration::build)
                .orElseGet(() -> SlotTable.build(pool.algorithm(), pool.id(), pool.slots(), List.of()));
        SlotTable after = SlotTable.build(pool.algorithm(), pool.id(), pool.slots(), wanted);
        var command = new Command.CommitGeneration(
                pool.id(),
                state.generationNumber(pool.id()) + 1,
                state.revision(),
                weights,
                after.digest(),
                reason(state, current, wanted, verdicts));
        return new Plan.Commit(command, Movement.between(before, after));
    }

    private static String reason(
            ClusterState state,
            Optional<PoolGeneration> current,
            List<TableMember> wanted,
            SortedMap<Integer, Verdict> verdicts) {
        List<String> changes = new ArrayList<>();
        for (TableMember member : wanted) {
            Optional<TableMember> before = current.flatMap(generation -> generation.member(member.id()));
            Member configured = state.model().members().get(member.id());
            if (configured != null && !before.equals(Optional.of(member))) {
                changes.add(change(configured, before, member, verdicts));
            }
        }
        current.stream()
                .flatMap(generation -> generation.members().stream())
                .filter(before -> wanted.stream().noneMatch(member -> member.id() == before.id()))
                .forEach(before -> changes.add(before.key() + " removed"));
        return changes.isEmpty() ? "pool changed" : String.join(", ", changes);
    }

    private static String change(
            Member configured, Optional<TableMember> before, TableMember after, SortedMap<Integer, Verdict> verdicts) {
        String name = configured.name();
        int effectiveBefore = before.map(TableMember::effectiveWeight).orElse(0);
        if (after.effectiveWeight() > 0 && effectiveBefore == 0) {
            return name + " up" + votes(verdicts.getOrDefault(after.id(), new Verdict.Undecided()));
        }
        if (after.effectiveWeight() == 0 && effectiveBefore > 0) {
            if (configured.admin() != AdminState.ENABLED) {
                return name + (configured.retired() ? " deleted" : " drained");
            }
            if (configured.ceiling() == 0 && configured.weight() > 0) {
                return name + " ramped to 0";
            }
            return name
                    + (configured.weight() == 0
                            ? " has weight 0"
                            : " down" + votes(verdicts.getOrDefault(after.id(), new Verdict.Undecided())));
        }
        if (before.filter(old -> old.weight() == after.weight()).isPresent() && after.effectiveWeight() > 0) {
            return "%s ramps %d -> %d of %d".formatted(name, effectiveBefore, after.effectiveWeight(), after.weight());
        }
        return before.map(old -> "%s weight %d -> %d".formatted(name, old.weight(), after.weight()))
                .orElse(name + " added");
    }

    private static String votes(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Up(int votes) -> " (seen by %d nodes)".formatted(votes);
            case Verdict.Down(int votes) -> " (seen by %d nodes)".formatted(votes);
            case Verdict.Undecided _ -> "";
        };
    }
}
