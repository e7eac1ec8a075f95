package io.quorumlb.node.core;

import io.quorumlb.ovs.hash.Fingerprint;
import java.time.Duration;
import java.util.Optional;

/**
 * What a node says of its switch.
 *
 * @param connected true if the last read-back succeeded
 * @param untried true if the node has only just started and no read-back has ended yet
 * @param detail why not, or empty
 * @param version version of Open vSwitch, empty if not known
 * @param datapathType {@code netdev} or {@code system}, empty if not known
 * @param foreignFlows flows of others, never touched
 * @param repaired own flows that others had changed and that were put right
 * @param contested true while somebody keeps changing our flows
 * @param flowModsSent flow-mods since the start
 * @param failClosedPackets packets for a slot that nobody owns
 * @param restarts how often the switch was found empty since the start
 * @param lastOutage how long the last restart kept it from forwarding: seen gone to proven; zero if there was none
 * @param readBackAge time since the last good read-back
 * @param fingerprint what its hashes give; empty until it is known
 */
public record SwitchReport(
        boolean connected,
        boolean untried,
        String detail,
        String version,
        String datapathType,
        int foreignFlows,
        RepairCounts repaired,
        boolean contested,
        long flowModsSent,
        long failClosedPackets,
        long restarts,
        Duration lastOutage,
        Duration readBackAge,
        Optional<Fingerprint> fingerprint) {
    /** Returns true if the switch could not be read. */
    boolean failed() {
        return !connected && !untried;
    }

    SwitchReport withReadBackAge(Duration age) {
        return new SwitchReport(
                connected,
                untried,
                detail,
                version,
                datapathType,
                foreignFlows,
                repaired,
                contested,
                flowModsSent,
                failClosedPackets,
                restarts,
                lastOutage,
                age,
                fingerprint);
    }
}
