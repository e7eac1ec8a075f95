package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;

/**
 * How much of a node's record somebody holds.
 *
 * @param owner whose record
 * @param incarnation life of the owner, 0 if nothing is held
 * @param version of it, 0 if nothing is held
 */
public record Stamp(NodeId owner, long incarnation, long version) {
    static Stamp nothing(NodeId owner) {
        return new Stamp(owner, 0, 0);
    }

    /** Returns true if the other one says more of the same owner. */
    public boolean before(Stamp other) {
        return incarnation < other.incarnation || (incarnation == other.incarnation && version < other.version);
    }
}
