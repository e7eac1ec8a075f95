package io.quorumlb.node.gossip;

/** Why a peer's call was refused. */
public enum PeerRefusal {
    /** It belongs to another cluster. */
    OTHER_CLUSTER,
    /** It, or the owner of a record it sent, is not in the node list. */
    UNLISTED,
    /** It says it is this node. */
    SELF,
    /** Its message cannot be read. */
    MALFORMED
}
