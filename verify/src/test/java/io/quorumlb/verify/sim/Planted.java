package io.quorumlb.verify.sim;

/** Faults put in on purpose at the edge between the core and its world, to see that the simulation finds them. */
enum Planted {
    /** The product as it is. */
    NOTHING,
    /** The switch is not read: the node is told that it holds what it was sent. */
    TRUSTS_MEMORY,
    /** A relayed record is as young as the moment it is relayed. */
    FORGETS_AGE_WHEN_RELAYING,
    /** An old record goes on under new sequence numbers. */
    COUNTS_STALE_OBSERVATIONS,
    /** Who cannot be reached is taken to agree with the node itself. */
    MAJORITY_OF_THE_REACHABLE,
    /** Fewer than three successes between failures do not count. */
    COUNTS_NOT_CONSECUTIVELY,
    /** The leader numbers generations by its clock, and the state machine takes it. */
    NUMBERS_BY_CLOCK,
    /** A node that starts again is not told apart from its earlier life. */
    FORGETS_INCARNATIONS,
    /** Each node takes the members in the order of a hash set of its own. */
    ORDER_OF_A_HASH_SET,
    /** A proposed generation is installed before it is committed. */
    INSTALLS_BEFORE_COMMIT,
    /** A node that wakes believes itself up to date. */
    NO_BARRIER_AFTER_A_PAUSE,
    /** A node does not hear that its gateways have gone to others. */
    GATEWAYS_STAY_AT_HOME,
    /** An outcome that is not known is reported as done. */
    UNKNOWN_IS_DONE,
    /** A write that is asked again is done again. */
    FORGETS_REQUESTS,
    /** No leader has the log's time pass: what is held stays held. */
    HOLDS_NEVER_END,
    /** A switch gives packets to all enabled members though some are up. */
    OPENS_WITHOUT_NEED,
    /** A bundle is applied in part. */
    HALF_A_BUNDLE,
    /** The log commits with less than a majority. */
    LOG_WITHOUT_MAJORITY
}
