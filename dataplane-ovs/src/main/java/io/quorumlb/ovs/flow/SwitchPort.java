package io.quorumlb.ovs.flow;

/**
 * A port of the bridge.
 *
 * @param number OpenFlow port number, unsigned 32 bits; the bridge's own port is 0xfffffffe
 * @param name interface name
 * @param mac address of the port
 */
public record SwitchPort(int number, String name, MacAddress mac) {}
