package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.ClusterState;

/**
 * How a node reckons the log's time between two entries that carry it.
 *
 * @param at when this node first saw the log's present time
 * @param term in which this node, as the leader, last had the log's time pass; -1 if never
 * @param again when it may have it pass again
 */
record LogClock(MonotonicTime at, long term, MonotonicTime again) {
    static LogClock initial(MonotonicTime now) {
        return new LogClock(now, -1, now);
    }

    /** Returns the clock after the log has advanced. */
    LogClock advanced(ClusterState old, ClusterState next, MonotonicTime now) {
        return next.requests().clockMillis() == old.requests().clockMillis() ? this : new LogClock(now, term, again);
    }

    LogClock asked(long inTerm, MonotonicTime next) {
        return new LogClock(at, inTerm, next);
    }

    /** Returns the log's time as it is now, if it goes on as this node's own clock does; milliseconds since 1970. */
    long reckoned(ClusterState cluster, MonotonicTime now) {
        long clock = cluster.requests().clockMillis();
        long passed = Math.max(0, now.since(at).toMillis());
        return clock > Long.MAX_VALUE - passed ? Long.MAX_VALUE : clock + passed;
    }
}
