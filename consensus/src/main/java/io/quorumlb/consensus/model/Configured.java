package io.quorumlb.consensus.model;

/** An object that operators configure. */
public sealed interface Configured permits Listener, LoadBalancer, Member, Pool, Segment {
    /** Returns its id, given by the state machine; 0 before. */
    int id();

    /** Returns its name. */
    String name();

    /** Returns its labels and the revision that changed it last. */
    ObjectMeta meta();
}
