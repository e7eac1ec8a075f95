package io.quorumlb.maglev;

/** By which of the switch's hashes TCP connections get their slots; one choice for a whole cluster. */
public enum SlotFunction {
    /** The flow table's hash: works everywhere, costs the datapath an entry for each connection. */
    MULTIPATH,
    /** The datapath's hash: the datapath needs at most one entry for each slot of a listener. */
    DP_HASH
}
