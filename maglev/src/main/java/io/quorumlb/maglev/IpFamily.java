package io.quorumlb.maglev;

/** The version of an IP address, in the order of their numbers. */
public enum IpFamily {
    /** Version 4, 32 bits. */
    IPV4,
    /** Version 6, 128 bits. */
    IPV6
}
