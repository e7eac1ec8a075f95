package io.quorumlb.node.core;

import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An audit of a large switch, some pools at a time, so that no change waits long for it.
 *
 * @param begun when it began: all of the switch was read since once it ends
 * @param left the first pool of each block that is still to be read; not empty
 * @param next when the first of them may be read
 * @param asked when the last one was asked for
 */
record Sweep(MonotonicTime begun, SortedSet<Integer> left, MonotonicTime next, MonotonicTime asked) {
    /** At most a tenth of the time is spent on it. */
    private static final int PAUSE = 9;

    /** Returns one that has read nothing yet. */
    static Sweep of(MonotonicTime now, SortedSet<Integer> blocks) {
        return new Sweep(now, blocks, now, now);
    }

    Sweep asked(MonotonicTime now) {
        return new Sweep(begun, left, next, now);
    }

    /** Its first block was read. */
    Sweep read(MonotonicTime now) {
        SortedSet<Integer> others = new TreeSet<>(left.tailSet(left.first() + 1));
        Duration took = now.since(asked);
        return new Sweep(begun, others, now.plus(took.multipliedBy(PAUSE)), asked);
    }
}
