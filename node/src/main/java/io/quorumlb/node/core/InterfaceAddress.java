package io.quorumlb.node.core;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;

/**
 * What the kernel has on one of the node's own interfaces.
 *
 * @param address the node's address
 * @param mac the interface's MAC address
 */
public record InterfaceAddress(Ipv4Address address, MacAddress mac) {}
