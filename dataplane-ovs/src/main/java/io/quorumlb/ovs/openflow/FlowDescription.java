package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.Flow;
import java.time.Duration;

/**
 * A flow as the switch describes it.
 *
 * @param flow the flow
 * @param packets packets counted, unsigned
 * @param bytes bytes counted, unsigned
 * @param age time since the flow was added
 */
public record FlowDescription(Flow flow, long packets, long bytes, Duration age) {}
