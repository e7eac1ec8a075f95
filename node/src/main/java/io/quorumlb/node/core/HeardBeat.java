package io.quorumlb.node.core;

import java.time.Duration;

/**
 * A beat and when it came.
 *
 * @param beat as received
 * @param at when
 */
record HeardBeat(Beat beat, MonotonicTime at) {
    /** Returns its age, the time it has waited here included. */
    Duration age(MonotonicTime now) {
        return beat.age().plus(now.since(at));
    }

    Beat asOf(MonotonicTime now) {
        return beat.older(now.since(at));
    }
}
