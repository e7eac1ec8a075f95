package io.quorumlb.node.core;

/**
 * A generation this node has proposed and not yet seen in the log.
 *
 * @param number of the generation
 * @param blockedUntil when the pool may be planned again although the log has not brought it
 */
record Proposal(long number, MonotonicTime blockedUntil) {
    Proposal until(MonotonicTime other) {
        return new Proposal(number, other);
    }
}
