package io.quorumlb.ovs.flow;

import java.time.Duration;

/**
 * A flow as the switch holds it.
 *
 * @param flow the flow
 * @param packets packets counted, unsigned; the switch brings them up to date when it revalidates, within 0.6 s
 * @param bytes bytes counted, unsigned
 * @param age time since the flow was added or last replaced
 */
public record InstalledFlow(Flow flow, long packets, long bytes, Duration age) {}
