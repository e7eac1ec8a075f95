package io.quorumlb.consensus.pool;

/** Whether an observer that sees a member up has begun to doubt it. */
public enum Suspicion {
    /** The last probe succeeded, or the member is down by the observer's count already. */
    NONE,
    /** The member still counts as up, and the last probe failed: every observer looks again at once. */
    SUSPECT
}
