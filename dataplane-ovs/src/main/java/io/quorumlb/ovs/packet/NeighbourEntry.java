package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;

/**
 * What the kernel is to have of a neighbour.
 *
 * @param interfaceName the node's own interface in the network
 * @param address IP address
 * @param mac where the kernel is to send to
 * @param hold how long
 */
public record NeighbourEntry(String interfaceName, IpAddress address, MacAddress mac, Hold hold) {
    /** How long the kernel holds on to what it is told. */
    public enum Hold {
        /** Until it learns otherwise. */
        UNTIL_LEARNED,
        /** Until it is told otherwise. */
        UNTIL_TOLD
    }
}
