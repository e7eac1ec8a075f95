package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.PoolGeneration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the members of a pool that are healthy enough to take traffic, and what the guards of health hold back. */
final class Eligibility {
    private final Pool pool;
    private final Optional<PoolGeneration> current;
    private final PoolView view;
    private final List<Member> wanted;
    private final SortedSet<Integer> heldUp = new TreeSet<>();
    private final SortedMap<Integer, Ruling> rulings = new TreeMap<>();
    private final List<Hold> holds = new ArrayList<>();
    private final SortedSet<Integer> in = new TreeSet<>();
    private final SortedSet<Integer> panicked = new TreeSet<>();
    private boolean panic;
    private boolean overridden;

    private Eligibility(
            ClusterState state, Pool pool, Optional<PoolGeneration> current, List<Member> configured, PoolView view) {
        this.pool = pool;
        this.current = current;
        this.view = view;
        this.wanted = configured.stream().filter(state::wants).toList();
        wanted.stream()
                .filter(member -> state.held(member.id()).equals(Optional.of(Health.UP)))
                .forEach(member -> heldUp.add(member.id()));
    }

    /**
     * What was found.
     *
     * @param in wanted members that may take traffic
     * @param holds what is held back
     * @param panicked members that are in only because so few are healthy
     * @param panic true while that is so
     * @param overridden true if a guard would hold something back, had an operator not overridden it
     * @param rulings what has decided about each wanted member, by id
     */
    record Found(
            SortedSet<Integer> in,
            List<Hold> holds,
            SortedSet<Integer> panicked,
            boolean panic,
            boolean overridden,
            SortedMap<Integer, Ruling> rulings) {}

    static Found of(
            ClusterState state, Pool pool, Optional<PoolGeneration> current, List<Member> configured, PoolView view) {
        var eligibility = new Eligibility(state, pool, current, configured, view);
        eligibility.decide();
        return new Found(
                eligibility.in,
                List.copyOf(eligibility.holds),
                eligibility.panicked,
                eligibility.panic,
                eligibility.overridden,
                eligibility.rulings);
    }

    private void decide() {
        wanted.stream().filter(this::healthy).forEach(member -> in.add(member.id()));
        wanted.forEach(member -> rulings.put(member.id(), byView(member)));
        List<Member> changed = wanted.stream()
                .filter(member -> in.contains(member.id()) != wasIn(member))
                .filter(member -> !heldUp.contains(member.id()))
                .toList();
        if (view.moment() == PoolView.Moment.SETTLING && holds(Guard.SETTLING)) {
            settle(changed);
            return;
        }
        guardMassFailure(
                changed.stream().filter(member -> !in.contains(member.id())).toList());
        guardFlapping();
        panicIfTooFew();
    }

    private void settle(List<Member> changed) {
        panic = inPanic();
        changed.forEach(member -> restore(member, Ruling.SETTLING));
        if (!changed.isEmpty()) {
            holds.add(Hold.of(
                    Guard.SETTLING,
                    "the new leader waits for a majority of fresh voters: %s".formatted(Names.of(changed))));
        }
    }

    private boolean inPanic() {
        return current.filter(generation -> generation.cause() == GenerationCause.PANIC)
                .isPresent();
    }

    private boolean wasIn(Member member) {
        return current.flatMap(generation -> generation.member(member.id()))
                .filter(before -> before.effectiveWeight() > 0)
                .isPresent();
    }

    private Ruling byView(Member member) {
        if (heldUp.contains(member.id())) {
            return Ruling.HELD_UP;
        }
        return switch (view.verdict(member.id())) {
            case Verdict.Up _ -> Ruling.MAJORITY_UP;
            case Verdict.Down _ -> Ruling.MAJORITY_DOWN;
            case Verdict.Undecided _ -> Ruling.NO_MAJORITY;
        };
    }

    private boolean healthy(Member member) {
        return heldUp.contains(member.id()) || seenHealthy(member);
    }

    private boolean seenHealthy(Member member) {
        return switch (view.verdict(member.id())) {
            case Verdict.Up _ -> true;
            case Verdict.Down _ -> false;
            case Verdict.Undecided _ -> wasIn(member) && !inByPanicOnly(member);
        };
    }

    /** What panic let in is not what was committed as healthy. */
    private boolean inByPanicOnly(Member member) {
        return inPanic() && view.lastSeenDown().contains(member.id());
    }

    private void restore(Member member, Ruling ruling) {
        rulings.put(member.id(), ruling);
        if (wasIn(member)) {
            in.add(member.id());
        } else {
            in.remove(member.id());
        }
    }

    private void guardMassFailure(List<Member> falling) {
        long recent = recentlyDown();
        long down = recent + effectiveBefore(falling);
        long all = recent
                + current.map(PoolGeneration::eligible).orElse(List.of()).stream()
                        .mapToLong(member -> member.effectiveWeight())
                        .sum();
        boolean mass = down * 100 > pool.guards().massFailure() * all;
        List<Member> disputed = falling.stream()
                .filter(member -> mass
                        ? view.disputed().contains(member.id())
                        : view.young().contains(member.id()))
                .toList();
        if (disputed.isEmpty() || !holds(mass ? Guard.MASS_FAILURE : Guard.DISPUTED)) {
            return;
        }
        disputed.forEach(member -> restore(member, mass ? Ruling.MASS_FAILURE : Ruling.DISPUTED));
        holds.add(
                mass
                        ? Hold.of(
                                Guard.MASS_FAILURE,
                                ("%d of %d of the eligible weight would be down, and not all fresh voters agree on %s:"
                                                + " held until they do or it is overridden")
                                        .formatted(down, all, Names.of(disputed)))
                        : Hold.of(
                                Guard.DISPUTED,
                                "a majority sees %s down, another voter does not: waits a moment for more"
                                        .formatted(Names.of(disputed))));
    }

    /** Returns the weight that verdicts took down within the window and that has not come back. */
    private long recentlyDown() {
        return view.recentlyDown().entrySet().stream()
                .filter(down -> current.flatMap(generation -> generation.member(down.getKey()))
                        .filter(member -> member.effectiveWeight() == 0)
                        .isPresent())
                .mapToLong(down -> down.getValue())
                .sum();
    }

    private long effectiveBefore(List<Member> members) {
        return members.stream()
                .mapToLong(member -> current.flatMap(generation -> generation.member(member.id()))
                        .map(before -> before.effectiveWeight())
                        .orElse(0))
                .sum();
    }

    /** Keeps members from coming back; one that serves is not taken out for what it did before. */
    private void guardFlapping() {
        List<Member> flapping = wanted.stream()
                .filter(member -> in.contains(member.id())
                        && !wasIn(member)
                        && !heldUp.contains(member.id())
                        && view.flapping().contains(member.id()))
                .toList();
        if (flapping.isEmpty() || !holds(Guard.FLAPPING)) {
            return;
        }
        String names = Names.of(flapping);
        if (flapping.size() == in.size()) {
            // Better a flapping member than nobody.
            holds.add(Hold.of(Guard.FLAPPING, "%s would be held down, but nobody else is up".formatted(names)));
            return;
        }
        flapping.forEach(member -> {
            in.remove(member.id());
            rulings.put(member.id(), Ruling.FLAPPING);
        });
        holds.add(Hold.of(
                Guard.FLAPPING,
                "%s is up but changed too often: held down until its penalty is below %d or it is overridden"
                        .formatted(names, pool.guards().flapping().reuse())));
    }

    private void panicIfTooFew() {
        long all = weight(wanted);
        List<Member> out =
                wanted.stream().filter(member -> !in.contains(member.id())).toList();
        long healthy = all - weight(out);
        if (!out.isEmpty() && healthy * 100 < pool.guards().panic() * all) {
            panic = true;
            out.forEach(member -> panicked.add(member.id()));
            in.addAll(panicked);
            panicked.forEach(member -> rulings.put(member, Ruling.PANIC));
            holds.add(new Hold(
                    Hold.PANIC,
                    "%d of %d of the enabled weight is healthy, less than %d %%: all enabled members take traffic, %s too"
                            .formatted(healthy, all, pool.guards().panic(), Names.of(out))));
        }
    }

    private static long weight(List<Member> members) {
        return members.stream().mapToLong(Member::weight).sum();
    }

    /** Returns true if the guard holds, and remembers if it would. */
    private boolean holds(Guard guard) {
        boolean passed =
                pool.overridden(guard, current.map(PoolGeneration::number).orElse(0L));
        overridden |= passed;
        return !passed;
    }
}
