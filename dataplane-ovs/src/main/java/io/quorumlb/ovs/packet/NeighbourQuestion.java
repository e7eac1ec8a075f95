package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.MacAddress;

/**
 * Who has an address?
 *
 * @param interfaceName the node's own interface in the network
 * @param mac the node's own MAC address there
 * @param own the node's own address there, of the same version as the target
 * @param target the address asked for
 */
public record NeighbourQuestion(String interfaceName, MacAddress mac, IpAddress own, IpAddress target) {
    /** Returns the frame that asks everybody who may have the target. */
    public byte[] frame() {
        return switch (target) {
            case Ipv4Address ipv4
            when own instanceof Ipv4Address sender ->
                ArpFrame.request(mac, sender, ipv4).bytes();
            case Ipv6Address ipv6
            when own instanceof Ipv6Address sender ->
                NeighbourFrame.solicitation(mac, sender, ipv6).bytes();
            default -> throw new IllegalStateException("%s cannot ask for %s".formatted(own, target));
        };
    }

    /** Checks that own address and target are of the same version. */
    public NeighbourQuestion {
        if (own instanceof Ipv4Address != target instanceof Ipv4Address) {
            throw new IllegalArgumentException(
                    "address %s and target %s are of different versions".formatted(own, target));
        }
    }
}
