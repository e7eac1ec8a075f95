package io.quorumlb.node.core;

import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How what the switch holds compares with what it should hold.
 *
 * @param compared the intent that the last reading was compared with
 * @param proven the intent that the last reading was found equal to
 * @param held the intent that the switch was found equal to last, whatever it holds by now: a difference from it was made
 *     by somebody else
 * @param attempt the last change, until the switch is found to hold what it asked for
 * @param basis what need not be compared again, if anything
 */
record SwitchComparison(
        Optional<SwitchIntent> compared,
        Optional<SwitchIntent> proven,
        Optional<SwitchIntent> held,
        Optional<Attempt> attempt,
        Optional<Basis> basis) {
    /**
     * What the switch is known to hold: with hundreds of pools a change of one must not cost a look at all.
     *
     * @param intent what it holds the flows of
     * @param suspects pools of which it may hold something else
     * @param after id of the pool that was compared last; the next are those that follow, so that none waits for ever
     * @param standing whether it was read since the node last stood still
     */
    record Basis(SwitchIntent intent, SortedSet<Integer> suspects, int after, boolean standing) {
        /** The switch holds exactly an intent. */
        static Basis of(SwitchIntent intent) {
            return new Basis(intent, new TreeSet<>(), 0, true);
        }

        /**
         * What it holds of some pools is not what it held.
         *
         * @param whole whether it was read whole
         */
        Basis suspecting(SortedSet<Integer> pools, boolean whole) {
            SortedSet<Integer> more = new TreeSet<>(suspects);
            more.addAll(pools);
            return new Basis(intent, more, after, standing || whole);
        }

        /** A pause says nothing about what others did meanwhile, until the switch is read whole. */
        Basis doubted() {
            return new Basis(intent, suspects, after, false);
        }

        /** Returns the pools that are left to be compared with an intent; empty if all that it asks for is. */
        Optional<SortedSet<Integer>> scope(SwitchIntent other) {
            return Pipeline.difference(intent, other).map(changed -> {
                SortedSet<Integer> scope = new TreeSet<>(suspects);
                scope.addAll(changed);
                return scope;
            });
        }

        private Basis compared(SwitchIntent other, SortedSet<Integer> part, SortedSet<Integer> left) {
            SortedSet<Integer> wrapped = part.headSet(after + 1);
            return new Basis(other, left, wrapped.isEmpty() ? part.last() : wrapped.last(), standing);
        }

        /** Returns some of the pools that are left, those that are compared next. */
        SortedSet<Integer> next(SortedSet<Integer> left, int most) {
            return Stream.concat(left.tailSet(after + 1).stream(), left.headSet(after + 1).stream())
                    .limit(most)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /**
     * A change that was sent.
     *
     * @param intent what the switch was to hold
     * @param count how many times in a row it has been sent for this intent
     * @param retryAt when it may be sent again if the switch is found not to hold it
     * @param pools those that it is about; empty if it is about all
     */
    record Attempt(SwitchIntent intent, int count, MonotonicTime retryAt, Optional<SortedSet<Integer>> pools) {}

    static SwitchComparison none() {
        return new SwitchComparison(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The switch was read anew: what it held before is no longer compared, but still the last proof. */
    SwitchComparison outdated() {
        return new SwitchComparison(Optional.empty(), proven, held, attempt, Optional.empty());
    }

    /** Only what the last change was about was read anew. */
    SwitchComparison partlyOutdated() {
        return new SwitchComparison(Optional.empty(), proven, held, attempt, basis);
    }

    /** The switch was read anew, and what it holds of some pools is not what it held. */
    SwitchComparison suspecting(SortedSet<Integer> pools) {
        return new SwitchComparison(
                Optional.empty(), proven, held, attempt, basis.map(known -> known.suspecting(pools, true)));
    }

    /** A part of the switch was read, and what it holds of some pools is not what it held. */
    SwitchComparison suspectingPart(SortedSet<Integer> pools) {
        return new SwitchComparison(
                Optional.empty(), proven, held, attempt, basis.map(known -> known.suspecting(pools, false)));
    }

    /**
     * What was proven before a pause says nothing about the time after it. The next reading tells what is not as it was read
     * last, and that is compared: to compare all of a large switch would be the next pause.
     */
    SwitchComparison unproven() {
        return new SwitchComparison(
                Optional.empty(), Optional.empty(), Optional.empty(), attempt, basis.map(Basis::doubted));
    }

    /** Some of the pools that were left hold what is intended; others are still to be compared. */
    SwitchComparison equal(SwitchIntent intent, SortedSet<Integer> part, SortedSet<Integer> left) {
        return new SwitchComparison(
                Optional.empty(),
                proven,
                held,
                Optional.empty(),
                basis.map(known -> known.compared(intent, part, left)));
    }

    /** Returns what pools the switch is known to hold as it forwards by them now, by id. */
    SortedMap<Integer, ServedPool> provenPools() {
        SortedMap<Integer, ServedPool> pools = new TreeMap<>();
        Optional<Basis> known = basis.filter(Basis::standing);
        known.map(Basis::intent)
                .or(() -> proven)
                .ifPresent(intent -> intent.pools().forEach(pool -> pools.put(pool.id(), pool)));
        known.ifPresent(held -> pools.keySet().removeAll(held.suspects()));
        return pools;
    }

    SwitchComparison equal(SwitchIntent intent) {
        return new SwitchComparison(
                Optional.of(intent),
                Optional.of(intent),
                Optional.of(intent),
                Optional.empty(),
                Optional.of(Basis.of(intent)));
    }

    /** It differs, and nothing is done about it now: it is read again later. */
    SwitchComparison waiting(SwitchIntent intent) {
        return new SwitchComparison(Optional.of(intent), Optional.empty(), held, attempt, Optional.empty());
    }

    /**
     * It differs, and the change is on its way.
     *
     * @param left pools that may differ from what is intended, among them those of the change
     */
    SwitchComparison changing(Attempt change, Optional<SortedSet<Integer>> left) {
        return new SwitchComparison(
                Optional.of(change.intent()),
                Optional.empty(),
                held.filter(change.intent()::equals),
                Optional.of(change),
                change.pools().map(pools -> {
                    SortedSet<Integer> suspects = new TreeSet<>(pools);
                    left.ifPresent(suspects::addAll);
                    return new Basis(
                            change.intent(),
                            suspects,
                            basis.map(Basis::after).orElse(0),
                            basis.map(Basis::standing).orElse(true));
                }));
    }
}
