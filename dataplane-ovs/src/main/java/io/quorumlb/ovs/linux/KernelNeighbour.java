package io.quorumlb.ovs.linux;

import io.quorumlb.maglev.IpAddress;

/**
 * An entry of the kernel's neighbour table that has a link-layer address.
 *
 * @param interfaceIndex kernel's number of the interface
 * @param address IP address
 * @param mac Ethernet address, 0..2^48-1, first byte highest
 * @param state what the kernel thinks of it
 */
public record KernelNeighbour(int interfaceIndex, IpAddress address, long mac, NeighbourState state) {}
