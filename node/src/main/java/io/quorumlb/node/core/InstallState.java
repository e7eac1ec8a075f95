package io.quorumlb.node.core;

/** How far a node is with one pool's committed generation. */
public enum InstallState {
    /** The switch holds exactly the committed generation, read back. */
    CONVERGED,
    /** On its way to the switch. */
    INSTALLING,
    /** An eligible member has no MAC address yet; the previous generation stays. */
    WAITING_NEIGHBOUR,
    /** The table built here differs from the committed digest; never installed. */
    MISMATCH,
    /** The switch cannot be reached or read. */
    NO_SWITCH,
    /** Not yet caught up with the log since the start or the last pause. */
    LAGGING,
    /** The switch is kept as committed, and the node is out of service: its routes are withdrawn. */
    NOT_SERVING,
    /** A majority of the voters has built the committed digest, this node has not. */
    DIVERGED,
    /** No leader for more than a few seconds: forwarding goes on with the last generation. */
    FROZEN
}
