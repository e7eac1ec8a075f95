package io.quorumlb.consensus.model;

/** Transport of a listener. */
public enum Protocol {
    /** IP protocol 6. */
    TCP
}
