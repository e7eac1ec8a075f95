package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.TableMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says in words what a generation changes. */
final class Reasons {
    private Reasons() {}

    static String of(ClusterState state, Optional<PoolGeneration> current, List<TableMember> next, PoolView view) {
        List<String> changes = new ArrayList<>();
        for (TableMember member : next) {
            Optional<TableMember> before = current.flatMap(generation -> generation.member(member.id()));
            Member configured = state.model().members().get(member.id());
            if (configured != null && !before.equals(Optional.of(member))) {
                changes.add(change(state, configured, before, member, view));
            }
        }
        current.stream()
                .flatMap(generation -> generation.members().stream())
                .filter(before -> next.stream().noneMatch(member -> member.id() == before.id()))
                .forEach(before -> changes.add(before.key() + " removed"));
        return changes.isEmpty() ? "pool changed" : Names.join(changes);
    }

    private static String change(
            ClusterState state, Member configured, Optional<TableMember> before, TableMember after, PoolView view) {
        String name = configured.name();
        int effectiveBefore = before.map(TableMember::effectiveWeight).orElse(0);
        if (after.effectiveWeight() > 0 && effectiveBefore == 0) {
            if (state.held(after.id()).equals(Optional.of(Health.UP))) {
                return name + " held up by an operator";
            }
            return view.verdict(after.id()) instanceof Verdict.Up
                    ? name + " up" + votes(view, after.id())
                    : name + " in by panic";
        }
        if (after.effectiveWeight() == 0 && effectiveBefore > 0) {
            return name + out(state, configured, view);
        }
        if (before.filter(old -> old.weight() == after.weight()).isPresent() && after.effectiveWeight() > 0) {
            return "%s ramps %d -> %d of %d".formatted(name, effectiveBefore, after.effectiveWeight(), after.weight());
        }
        return before.map(old -> "%s weight %d -> %d".formatted(name, old.weight(), after.weight()))
                .orElse(name + " added");
    }

    private static String out(ClusterState state, Member configured, PoolView view) {
        if (configured.admin() != AdminState.ENABLED) {
            return configured.retired() ? " deleted" : " drained";
        }
        if (configured.weight() == 0) {
            return " has weight 0";
        }
        if (configured.ceiling() == 0) {
            return " ramped to 0";
        }
        if (state.held(configured.id()).equals(Optional.of(Health.DOWN))) {
            return " held down by an operator";
        }
        return view.verdict(configured.id()) instanceof Verdict.Up
                ? " held down: flapping"
                : " down" + votes(view, configured.id());
    }

    private static String votes(PoolView view, int member) {
        return switch (view.verdict(member)) {
            case Verdict.Up(int votes) -> " (seen by %d nodes)".formatted(votes);
            case Verdict.Down(int votes) -> " (seen by %d nodes)".formatted(votes);
            case Verdict.Undecided _ -> "";
        };
    }
}
