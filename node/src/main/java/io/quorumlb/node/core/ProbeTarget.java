package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;

/**
 * One probe to make.
 *
 * @param memberId member
 * @param number of the probe, counted per member: results count in the order of these
 * @param key where it serves
 * @param monitor what to ask and how long to wait
 * @param source the node's own address in the member's segment, to send from
 */
public record ProbeTarget(int memberId, long number, MemberKey key, HealthMonitor monitor, IpAddress source) {
    /** Returns where the probe goes: the member's address and the monitor's port, if it has one of its own. */
    public MemberKey asked() {
        return monitor.port().isEmpty()
                ? key
                : new MemberKey(key.address(), monitor.port().getAsInt());
    }
}
