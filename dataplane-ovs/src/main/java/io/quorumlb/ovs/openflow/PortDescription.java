package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.MacAddress;

/**
 * A port as the switch describes it.
 *
 * @param number port number, unsigned 32 bits
 * @param name interface name, at most 15 characters
 * @param mac address of the port
 */
public record PortDescription(int number, String name, MacAddress mac) {}
