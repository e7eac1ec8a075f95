package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Command.CommitGeneration.Footing;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.TableMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the next generation of a pool from what is committed and what the voters see. */
public final class Planner {
    private static final int ALL = 100;

    private final ClusterState state;
    private final Pool pool;
    private final PoolView view;
    private final Optional<PoolGeneration> current;
    private final List<Member> configured;

    private Planner(ClusterState state, Pool pool, PoolView view) {
        this.state = state;
        this.pool = pool;
        this.view = view;
        this.current = state.generation(pool.id());
        this.configured = state.model().membersOf(pool.id());
    }

    /**
     * Plans one pool.
     *
     * @param state committed state
     * @param pool the pool in it
     * @param view what is known of its members
     */
    public static Plan plan(ClusterState state, Pool pool, PoolView view) {
        return new Planner(state, pool, view).plan();
    }

    /** Plans one pool for somebody who remembers nothing: see {@link PoolView#of}. */
    public static Plan plan(ClusterState state, Pool pool, SortedMap<Integer, Verdict> verdicts) {
        return plan(state, pool, PoolView.of(verdicts));
    }

    private Plan plan() {
        if (current.isEmpty() && configured.isEmpty()) {
            return new Plan.Keep();
        }
        Eligibility.Found found = Eligibility.of(state, pool, current, configured, view);
        List<TableMember> next = overConfigured(found.in());
        // Panic begins and ends with a generation, even if the table is the same: what it let in is not healthy.
        boolean panicChanged = found.panic() != inPanic();
        if (isCurrent(next) && !panicChanged) {
            return found.holds().isEmpty() ? new Plan.Keep() : new Plan.Held(found.holds());
        }
        List<TableMember> asked = overConfigured(inBefore());
        boolean configurationChanged = !isCurrent(asked);
        if (tooSoon() && !configurationChanged) {
            return new Plan.Held(with(found.holds(), interval()));
        }
        if (!configurationChanged) {
            return commit(found, next, definition(next), cause(found, false), Footing.CONFIGURED, found.holds());
        }
        // Judged without health: a held change must not slip through because a member dies.
        int needless = new TableChange(current, definition(asked)).needless(gone());
        boolean disrupts = (long) needless * ALL > (long) pool.guards().movedMax() * pool.slots();
        boolean overridden = disrupts && pool.overridden(Guard.DISRUPTION, number());
        if (disrupts && !overridden) {
            return withoutDisruption(found, needless, panicChanged);
        }
        GenerationCause cause = overridden ? GenerationCause.OVERRIDE : cause(found, true);
        return commit(found, next, definition(next), cause, Footing.CONFIGURED, found.holds());
    }

    /** What the configuration asks for is held; health goes on over the members of the generation before. */
    private Plan withoutDisruption(Eligibility.Found found, int needless, boolean panicChanged) {
        List<Hold> holds = with(
                found.holds(),
                Hold.of(
                        Guard.DISRUPTION,
                        ("the configuration would move %d of %d slots of members that are not down, more than %d %%:"
                                        + " held until it asks for less or it is overridden")
                                .formatted(needless, pool.slots(), pool.guards().movedMax())));
        PoolGeneration before = current.orElseThrow();
        List<TableMember> next = before.members().stream()
                .map(member -> overPrevious(member, found.in()))
                .toList();
        if (next.equals(before.members()) && !panicChanged) {
            return new Plan.Held(holds);
        }
        boolean onlyHealth = gone().isEmpty();
        if (tooSoon() && onlyHealth) {
            return new Plan.Held(with(holds, interval()));
        }
        var definition = PoolDefinition.of(before.algorithm(), pool.id(), before.slots(), next);
        return commit(found, next, definition, cause(found, !onlyHealth), Footing.PREVIOUS, holds);
    }

    private boolean tooSoon() {
        return view.moment() == PoolView.Moment.TOO_SOON;
    }

    private Hold interval() {
        return new Hold(
                Hold.INTERVAL,
                "the last generation is younger than %d ms"
                        .formatted(pool.guards().generationInterval().toMillis()));
    }

    private boolean inPanic() {
        return current.filter(generation -> generation.cause() == GenerationCause.PANIC)
                .isPresent();
    }

    /** A member that is deleted goes at once; one that is drained or reweighted stays as it was while it is healthy. */
    private TableMember overPrevious(TableMember before, SortedSet<Integer> in) {
        Optional<Member> present = configured.stream()
                .filter(member -> member.id() == before.id() && !member.retired())
                .findFirst();
        if (present.isEmpty()) {
            return at(before, 0);
        }
        if (state.wants(present.get())) {
            int ceiling = Math.min(before.weight(), present.get().ceiling());
            int inside = before.effectiveWeight() > 0 ? before.effectiveWeight() : ceiling;
            return at(before, in.contains(before.id()) ? inside : 0);
        }
        boolean down = view.verdict(before.id()) instanceof Verdict.Down
                && !view.disputed().contains(before.id());
        return at(before, down ? 0 : before.effectiveWeight());
    }

    private static TableMember at(TableMember member, int effective) {
        return new TableMember(member.id(), member.key(), member.weight(), effective);
    }

    private List<TableMember> overConfigured(SortedSet<Integer> in) {
        return configured.stream()
                .map(member -> new TableMember(
                        member.id(),
                        member.key(),
                        member.weight(),
                        state.wants(member) && in.contains(member.id()) ? member.ceiling() : 0))
                .toList();
    }

    private SortedSet<Integer> inBefore() {
        SortedSet<Integer> in = new TreeSet<>();
        current.map(PoolGeneration::eligible).orElse(List.of()).forEach(member -> in.add(member.id()));
        return in;
    }

    private boolean isCurrent(List<TableMember> members) {
        return current.filter(generation -> generation.members().equals(members)
                        && generation.algorithm() == pool.algorithm()
                        && generation.slots() == pool.slots())
                .isPresent();
    }

    private PoolDefinition definition(List<TableMember> members) {
        return PoolDefinition.of(pool.algorithm(), pool.id(), pool.slots(), members);
    }

    /** Returns the members that are deleted but still serve. */
    private SortedSet<Integer> gone() {
        SortedSet<Integer> gone = inBefore();
        configured.stream().filter(member -> !member.retired()).forEach(member -> gone.remove(member.id()));
        return gone;
    }

    private SortedSet<Integer> byHealth(List<TableMember> next) {
        SortedSet<Integer> before = inBefore();
        SortedMap<Integer, Member> members = state.model().members();
        SortedSet<Integer> changed = new TreeSet<>();
        for (TableMember member : next) {
            Member configuredAs = members.get(member.id());
            boolean in = member.effectiveWeight() > 0;
            boolean rose = in && !before.contains(member.id());
            boolean fell = !in
                    && before.contains(member.id())
                    && configuredAs != null
                    && ((state.wants(configuredAs) && configuredAs.ceiling() > 0)
                            || view.verdict(member.id()) instanceof Verdict.Down);
            if (rose || fell) {
                changed.add(member.id());
            }
        }
        return changed;
    }

    private static GenerationCause cause(Eligibility.Found found, boolean configurationChanged) {
        if (found.panic()) {
            return GenerationCause.PANIC;
        }
        if (found.overridden()) {
            return GenerationCause.OVERRIDE;
        }
        return configurationChanged ? GenerationCause.CONFIGURATION : GenerationCause.HEALTH;
    }

    private Plan commit(
            Eligibility.Found found,
            List<TableMember> next,
            PoolDefinition definition,
            GenerationCause cause,
            Footing footing,
            List<Hold> holds) {
        var change = new TableChange(current, definition);
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        next.forEach(member -> weights.put(member.id(), member.effectiveWeight()));
        SortedSet<Integer> byHealth = byHealth(next);
        boolean mixed = cause == GenerationCause.CONFIGURATION && !byHealth.isEmpty();
        byHealth.addAll(found.panicked());
        boolean overridden = found.overridden() || cause == GenerationCause.OVERRIDE;
        String reason = Reasons.of(state, current, next, view);
        var command = new Command.CommitGeneration(
                pool.id(),
                number() + 1,
                state.revision(),
                weights,
                change.after().digest(),
                (inPanic() == found.panic() ? reason : (found.panic() ? "panic begins: " : "panic ends: ") + reason)
                        + (overridden ? " (guards overridden)" : ""),
                mixed ? GenerationCause.MIXED : cause,
                footing,
                List.of());
        return new Plan.Commit(command, change.movement(), byHealth, holds);
    }

    private long number() {
        return state.generationNumber(pool.id());
    }

    private static List<Hold> with(List<Hold> holds, Hold more) {
        List<Hold> all = new ArrayList<>(holds);
        all.add(more);
        return all;
    }
}
