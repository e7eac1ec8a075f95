package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;

/**
 * What one node says of itself, as it is known here and now.
 *
 * @param owner who says it
 * @param incarnation grows with each start of the owner
 * @param sequence of the owner's last beat that covers it
 * @param age time since that beat, in the hands of its forwarders and here
 * @param report what it says
 */
public record NodeRecord(NodeId owner, long incarnation, long sequence, Duration age, NodeReport report) {}
