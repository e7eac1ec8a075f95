package io.quorumlb.node.core;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The kernel's side of the node's attachments, read at once.
 *
 * @param interfaces by interface name; an interface that is absent or has no routable address is left out
 * @param neighbours usable neighbours by interface name
 */
public record NetworkView(
        SortedMap<String, InterfaceAddress> interfaces,
        SortedMap<String, SortedMap<IpAddress, MacAddress>> neighbours) {
    /** Copies the maps. */
    public NetworkView {
        interfaces = Collections.unmodifiableSortedMap(new TreeMap<>(interfaces));
        SortedMap<String, SortedMap<IpAddress, MacAddress>> copy = new TreeMap<>();
        neighbours.forEach((name, macs) -> copy.put(name, Collections.unmodifiableSortedMap(new TreeMap<>(macs))));
        neighbours = Collections.unmodifiableSortedMap(copy);
    }
}
