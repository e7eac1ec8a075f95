package io.quorumlb.consensus.log;

import io.quorumlb.consensus.machine.ClusterState;

/** What the log tells the node, in order. */
public sealed interface LogEvent {
    /**
     * Entries were applied, or a snapshot was loaded.
     *
     * @param index of the last entry that the state contains
     * @param state after it
     */
    record Advanced(long index, ClusterState state) implements LogEvent {}

    /** Who leads has changed. */
    record LeadershipChanged(Leadership leadership) implements LogEvent {}

    /**
     * The log is closed for good, for example because its disk is full: the node must stop and be started again.
     *
     * @param reason for people
     */
    record Failed(String reason) implements LogEvent {}
}
