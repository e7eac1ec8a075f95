package io.quorumlb.consensus.model;

/** What becomes of a listener's packets while its pool counts as empty. */
public sealed interface EmptyPolicy {
    /** They are dropped and counted. */
    record Drop() implements EmptyPolicy {}

    /**
     * Clients are told: a TCP client by a reset, others by an ICMP port unreachable, so many a second; the rest is dropped.
     * Members below the least number that the pool waits for do not get them either.
     */
    record Reject() implements EmptyPolicy {}

    /** All enabled members of the pool get them, although none is up. */
    record FailOpen() implements EmptyPolicy {}

    /**
     * The members of another pool get them; if that one has none either, they are dropped.
     *
     * @param pool name of the pool, which nothing changes; a pool that is named here cannot be deleted
     */
    record FallbackPool(String pool) implements EmptyPolicy {}

    /** They are dropped, and a VIP all of whose listeners say so is not announced. */
    record Withdraw() implements EmptyPolicy {}
}
