package io.quorumlb.consensus.model;

/** What an operator wants of a member. */
public enum AdminState {
    /** Takes traffic while it is healthy. */
    ENABLED,
    /** Takes no new traffic, however healthy. */
    DRAINED
}
