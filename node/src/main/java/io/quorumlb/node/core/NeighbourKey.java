package io.quorumlb.node.core;

import io.quorumlb.maglev.IpAddress;

/**
 * An address in one of the node's networks.
 *
 * @param interfaceName the node's own interface there
 * @param address a member's or a next hop's
 */
public record NeighbourKey(String interfaceName, IpAddress address) implements Comparable<NeighbourKey> {
    /** Orders by interface, then by address. */
    @Override
    public int compareTo(NeighbourKey other) {
        int byInterface = interfaceName.compareTo(other.interfaceName);
        return byInterface != 0 ? byInterface : address.compareTo(other.address);
    }
}
