package io.quorumlb.node.core;

import io.quorumlb.ovs.hash.Fingerprint;
import java.time.Duration;
import java.util.Optional;

/**
 * What a node says of its switch.
 *
 * @param connected true if the last read-back succeeded
 * @param detail why not, or empty
 * @param foreignFlows flows of others, never touched
 * @param repairedFlows own flows that the audit had to put right since the start
 * @param flowModsSent flow-mods since the start
 * @param failClosedPackets packets for a slot that nobody owns
 * @param readBackAge time since the last good read-back
 * @param fingerprint what its hashes give; empty until it is known
 */
public record SwitchReport(
        boolean connected,
        String detail,
        int foreignFlows,
        long repairedFlows,
        long flowModsSent,
        long failClosedPackets,
        Duration readBackAge,
        Optional<Fingerprint> fingerprint) {
    SwitchReport withReadBackAge(Duration age) {
        return new SwitchReport(
                connected, detail, foreignFlows, repairedFlows, flowModsSent, failClosedPackets, age, fingerprint);
    }
}
