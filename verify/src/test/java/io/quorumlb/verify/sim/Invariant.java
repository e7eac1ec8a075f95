package io.quorumlb.verify.sim;

/** What must hold after every event, whatever happens to the cluster. */
enum Invariant {
    /** A generation number of a pool has one digest, on every node and for ever, and its definition builds to it. */
    ONE_DIGEST_PER_NUMBER,
    /** Generation numbers grow by one: they never fall and have no gaps. */
    NUMBERS_WITHOUT_GAPS,
    /** Every node has the same state at the same index. */
    ONE_HISTORY,
    /** What a node changes its switch to is a committed generation. */
    ONLY_COMMITTED_IS_INSTALLED,
    /** A node says that it has proven a generation only if its switch held exactly that when it was read last. */
    PROOF_IS_READ_FROM_THE_SWITCH,
    /** No slot leads to a member that no committed generation made eligible. */
    ONLY_ELIGIBLE_MEMBERS,
    /** Without a majority that can talk nothing is committed. */
    NOTHING_WITHOUT_MAJORITY,
    /** A member goes or comes by health only if a majority of all voters has freshly and consecutively seen it so. */
    VERDICT_BY_MAJORITY,
    /** One observer that sees what no other sees makes no generation. */
    BLIND_OBSERVER_CHANGES_NOTHING,
    /** A node that cannot reach what the others can takes itself out of traffic. */
    BLIND_OBSERVER_LEAVES,
    /** A majority of blind observers does not take a pool down that another voter sees up. */
    BLIND_MAJORITY_IS_HELD,
    /** A write that an operator was told is done stays done. */
    ACKNOWLEDGED_WRITE_SURVIVES,
    /** A write that is asked again is answered as before and not done again. */
    WRITE_DONE_ONCE,
    /** A packet whose slot keeps its owner goes to the same member before and after a change. */
    UNMOVED_SLOTS_KEEP_THEIR_MEMBER,
    /** A node that started or woke changes its switch only by what is at least as new as the world was then. */
    NOTHING_OLD_AFTER_A_PAUSE,
    /** A node tells that it answers for a gateway only if the log gives it to the node, as of when it woke or later. */
    GATEWAYS_FOLLOW_THE_LOG,
    /** Flows of others are never touched. */
    FOREIGN_FLOWS_STAY,
    /** Generations come no faster than their causes: not as a storm. */
    NO_STORM_OF_GENERATIONS,
    /** The core takes every event in every state. */
    THE_CORE_GOES_ON,
    /** The nodes never all leave traffic by their own choice. */
    SOMEBODY_SERVES,
    /** While a minority of the nodes is lost the others see a member die and take it out within the bound. */
    MAJORITY_GOES_ON,
    /** After all faults have healed the cluster converges by itself, on the truth, within the bound. */
    CONVERGES_WITHIN_BOUND
}
