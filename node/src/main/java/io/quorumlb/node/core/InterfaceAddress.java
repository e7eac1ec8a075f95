package io.quorumlb.node.core;

import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the kernel has on one of the node's own interfaces.
 *
 * @param addresses the node's addresses of both versions of IP, link-local ones among them; one at least is routable
 * @param mac the interface's MAC address
 */
public record InterfaceAddress(SortedSet<IpAddress> addresses, MacAddress mac) {
    /** Copies the set. */
    public InterfaceAddress {
        addresses = Collections.unmodifiableSortedSet(new TreeSet<>(addresses));
    }

    /** Makes an interface with one address. */
    public InterfaceAddress(IpAddress address, MacAddress mac) {
        this(new TreeSet<>(List.of(address)), mac);
    }

    /** Returns the first routable address, one of IPv4 if there is one. */
    IpAddress main() {
        return addresses.stream().filter(IpAddress::routable).findFirst().orElseThrow();
    }

    /** Returns true if routers may carry packets to one of its addresses of the version. */
    boolean speaks(IpFamily family) {
        return addresses.stream().anyMatch(address -> address.family() == family && address.routable());
    }

    /** Returns true if one of its addresses lies in the network. */
    boolean isIn(IpPrefix network) {
        return addresses.stream().anyMatch(network::contains);
    }
}
