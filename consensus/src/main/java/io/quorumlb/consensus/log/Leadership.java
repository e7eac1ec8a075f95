package io.quorumlb.consensus.log;

import io.quorumlb.consensus.model.NodeId;

/** Who leads, as far as this node knows. */
public sealed interface Leadership {
    /** Returns the highest term this node has seen. */
    long term();

    /** This node leads and has committed an entry of its own term. */
    record Leading(long term) implements Leadership {}

    /** Another node leads. */
    record Following(long term, NodeId leader) implements Leadership {}

    /** Nobody is known to lead: nothing can be committed. */
    record Searching(long term) implements Leadership {}
}
