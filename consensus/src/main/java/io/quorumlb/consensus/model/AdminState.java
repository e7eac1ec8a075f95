package io.quorumlb.consensus.model;

/** What an operator wants of a member. */
public enum AdminState {
    /** Takes traffic while it is healthy. */
    ENABLED,
    /** Takes no new traffic, however healthy. */
    DRAINED,
    /**
     * Deleted, but still in the base of the pool's table, so that its going moves no slot of the others; it is shown to
     * nobody and goes with the pool's compaction.
     */
    RETIRED
}
