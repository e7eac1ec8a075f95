package io.quorumlb.consensus.model;

/** Transport with ports. */
public enum Protocol {
    /** IP protocol 6. */
    TCP,
    /** IP protocol 17. */
    UDP
}
