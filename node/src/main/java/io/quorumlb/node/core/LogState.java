package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.ClusterState;

/**
 * The log as this node has followed it.
 *
 * @param leadership who leads
 * @param leadershipSince since when; while nobody is known to lead, elections without a winner do not count
 * @param appliedIndex last entry applied
 * @param cluster state after it
 * @param barrier whether that is known to be recent
 * @param barrierAskedAt when the last barrier was asked for, or may be asked for again
 * @param clock how far the log's time has come
 */
record LogState(
        Leadership leadership,
        MonotonicTime leadershipSince,
        long appliedIndex,
        ClusterState cluster,
        Barrier barrier,
        MonotonicTime barrierAskedAt,
        LogClock clock) {
    /** Whether the node has caught up since its start or its last pause. */
    enum Barrier {
        NEEDED,
        PENDING,
        /** Asked for before the last pause: the answer says nothing about the time after it. */
        OUTDATED,
        PASSED
    }

    static LogState initial(MonotonicTime now) {
        return new LogState(
                new Leadership.Searching(0), now, 0, ClusterState.empty(), Barrier.NEEDED, now, LogClock.initial(now));
    }

    LogState with(Leadership other, MonotonicTime now) {
        MonotonicTime since = searches() && other instanceof Leadership.Searching ? leadershipSince : now;
        return new LogState(other, since, appliedIndex, cluster, barrier, barrierAskedAt, clock);
    }

    LogState with(long index, ClusterState state) {
        return new LogState(leadership, leadershipSince, index, state, barrier, barrierAskedAt, clock);
    }

    LogState with(Barrier other, MonotonicTime at) {
        return new LogState(leadership, leadershipSince, appliedIndex, cluster, other, at, clock);
    }

    LogState with(LogClock other) {
        return new LogState(leadership, leadershipSince, appliedIndex, cluster, barrier, barrierAskedAt, other);
    }

    /** Returns true if nobody is known to lead. */
    boolean searches() {
        return leadership instanceof Leadership.Searching;
    }

    boolean caughtUp() {
        return barrier == Barrier.PASSED;
    }
}
