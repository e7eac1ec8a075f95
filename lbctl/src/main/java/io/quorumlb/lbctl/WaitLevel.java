package io.quorumlb.lbctl;

/** What a writing command waits for. */
enum WaitLevel {
    /** Nothing beyond the answer to the write, which the cluster gives once it is committed. */
    NONE,
    /** The write is in the log of a majority. */
    COMMITTED,
    /** Every reachable node has proven from its switch that it forwards accordingly. */
    INSTALLED
}
