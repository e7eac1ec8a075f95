package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;

/**
 * Somebody said where an address is.
 *
 * @param interfaceName the node's own interface in the network
 * @param address the address spoken of
 * @param mac where it is said to be
 * @param origin who said it
 */
public record NeighbourSighting(String interfaceName, IpAddress address, MacAddress mac, Origin origin) {
    /** Who says where an address is. */
    public enum Origin {
        /** A station on the network: an answer to a question of this node, or an announcement. */
        NETWORK,
        /** The kernel, of what it has heard itself. */
        KERNEL
    }
}
