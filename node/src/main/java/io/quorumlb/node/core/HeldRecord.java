package io.quorumlb.node.core;

/**
 * Another node's record and when it came.
 *
 * @param record as received
 * @param receivedAt when
 */
record HeldRecord(NodeRecord record, MonotonicTime receivedAt) {
    /** Returns the record with the time it has waited here added to its age. */
    NodeRecord asOf(MonotonicTime now) {
        return record.withAge(record.age().plus(now.since(receivedAt)));
    }
}
