package io.quorumlb.node.core;

/**
 * Where the node meets one network.
 *
 * @param port name of the switch's port towards the network
 * @param interfaceName name of the switch's internal port that carries the node's own address there
 */
public record Attachment(String port, String interfaceName) {}
