package io.quorumlb.consensus.plan;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a node knows of a pool's members now. Holds no times, so that equal views give equal plans.
 *
 * @param verdicts by member id; a missing one is undecided
 * @param disputed members that a majority sees down while a fresh voter sees them up
 * @param young those of them that a majority sees down only since a moment
 * @param lastSeenDown members on which the last verdict that was decided is down
 * @param flapping members whose penalty holds them down
 * @param recentlyDown effective weight by id of the members that verdicts took down within the guard's window
 * @param moment what the time allows
 */
public record PoolView(
        SortedMap<Integer, Verdict> verdicts,
        SortedSet<Integer> disputed,
        SortedSet<Integer> young,
        SortedSet<Integer> lastSeenDown,
        SortedSet<Integer> flapping,
        SortedMap<Integer, Integer> recentlyDown,
        Moment moment) {
    /** What the time allows. */
    public enum Moment {
        /** Everything. */
        FREE,
        /** No generation that only health asks for: the last one is too young. */
        TOO_SOON,
        /** No change of health: a new leader does not yet hear a majority. */
        SETTLING
    }

    /** Copies the collections. */
    public PoolView {
        verdicts = Collections.unmodifiableSortedMap(new TreeMap<>(verdicts));
        disputed = Collections.unmodifiableSortedSet(new TreeSet<>(disputed));
        young = Collections.unmodifiableSortedSet(new TreeSet<>(young));
        lastSeenDown = Collections.unmodifiableSortedSet(new TreeSet<>(lastSeenDown));
        flapping = Collections.unmodifiableSortedSet(new TreeSet<>(flapping));
        recentlyDown = Collections.unmodifiableSortedMap(new TreeMap<>(recentlyDown));
    }

    /** Returns the view of somebody who remembers nothing: only the verdicts count, and nobody disputes them. */
    public static PoolView of(SortedMap<Integer, Verdict> verdicts) {
        SortedSet<Integer> none = new TreeSet<>();
        return new PoolView(verdicts, none, none, none, none, new TreeMap<>(), Moment.FREE);
    }

    /** Returns this view as if the time allowed something else. */
    public PoolView at(Moment other) {
        return new PoolView(verdicts, disputed, young, lastSeenDown, flapping, recentlyDown, other);
    }

    Verdict verdict(int member) {
        return verdicts.getOrDefault(member, new Verdict.Undecided());
    }
}
