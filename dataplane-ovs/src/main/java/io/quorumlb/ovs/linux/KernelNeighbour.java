package io.quorumlb.ovs.linux;

/**
 * An entry of the kernel's neighbour table that has a link-layer address.
 *
 * @param interfaceIndex kernel's number of the interface
 * @param ipv4 address, first byte highest
 * @param mac Ethernet address, 0..2^48-1, first byte highest
 * @param state what the kernel thinks of it
 */
public record KernelNeighbour(int interfaceIndex, int ipv4, long mac, NeighbourState state) {}
