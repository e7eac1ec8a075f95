package io.quorumlb.maglev;

/** What of a packet decides its slot. */
public enum HashFields {
    /** Addresses, protocol and ports: each connection for itself. */
    FIVE_TUPLE,
    /** The source address alone: all connections of a client go to one member. */
    SOURCE_ADDRESS,
    /** Both addresses: fragments and protocols without ports stay together. */
    ADDRESSES
}
