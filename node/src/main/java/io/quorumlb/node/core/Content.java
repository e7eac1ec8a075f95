package io.quorumlb.node.core;

import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;

/** What one entry of a node's record says. Nothing in it changes by time alone: ages travel in the {@link Beat}. */
public sealed interface Content {
    /**
     * What the node says of itself.
     *
     * @param report without pools and ages
     */
    record OfNode(NodeReport report) implements Content {}

    /** What the node says of one pool. */
    record OfPool(PoolReport report) implements Content {}

    /**
     * What the node has found of one member.
     *
     * @param seen with age zero
     * @param interval of the probes; the beat bounds the ages of all observations with this interval
     */
    record OfMember(Observation seen, Duration interval) implements Content {}

    /** The owner no longer says anything about this key. */
    record Gone() implements Content {}

    /** A later version said something that this one does not understand: kept and relayed as it came. */
    record Foreign() implements Content {}
}
