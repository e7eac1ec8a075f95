package io.quorumlb.consensus.pool;

/** What one node has found of a member, after rise and fall. */
public enum Health {
    /** Answers as the monitor wants. */
    UP,
    /** Does not. */
    DOWN
}
