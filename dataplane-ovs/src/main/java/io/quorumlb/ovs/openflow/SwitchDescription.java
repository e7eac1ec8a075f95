package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.Group;
import java.util.List;

/**
 * Everything read back from a switch.
 *
 * @param ports all ports, in the order of the switch
 * @param flows all flows of all tables, in the order of the switch
 * @param groups all groups, in the order of the switch
 */
public record SwitchDescription(List<PortDescription> ports, List<FlowDescription> flows, List<Group> groups) {}
