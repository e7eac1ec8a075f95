package io.quorumlb.ovs.pipeline;

/** What becomes of a listener's packets while its pool counts as empty. */
public sealed interface WhenEmpty {
    /** They find no slot that has an owner, and are dropped; so also by a listener whose VIP is withdrawn then. */
    record Drop() implements WhenEmpty {}

    /** As {@link Drop}, and a VIP all of whose listeners say so is not announced. */
    record Withdraw() implements WhenEmpty {}

    /** The switch gives them to the controller, so many a second, which refuses them in the VIP's name. */
    record Reject() implements WhenEmpty {}

    /** They find slots that all enabled members of the pool share. */
    record FailOpen() implements WhenEmpty {}

    /** They find the slots of another pool. */
    record Fallback(int poolId) implements WhenEmpty {}
}
