package io.quorumlb.ovs.install;

import io.quorumlb.ovs.unixctl.ControlSocket;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where a bridge is found and how long to wait for it.
 *
 * @param runDirectory directory of the sockets of ovs-vswitchd, such as {@code /run/openvswitch}
 * @param name bridge name
 * @param limit longest time of one call
 * @param silenceMax a switch that does not answer an echo for so long counts as dead
 */
public record OvsBridge(Path runDirectory, String name, Duration limit, Duration silenceMax) {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(2);

    /** Checks that times are positive. */
    public OvsBridge {
        if (!limit.isPositive() || !silenceMax.isPositive()) {
            throw new IllegalArgumentException(
                    "bridge " + name + ": limit and silence must be positive, are " + limit + " and " + silenceMax);
        }
    }

    /** Waits 5 s for a call and 2 s for an echo. */
    public OvsBridge(Path runDirectory, String name) {
        this(runDirectory, name, LIMIT, SILENCE_MAX);
    }

    Path managementSocket() {
        return runDirectory.resolve(name + ".mgmt");
    }

    /** Returns the control socket of the ovs-vswitchd that runs now. */
    Path controlSocket() throws UnixControlException {
        return ControlSocket.of(runDirectory, "ovs-vswitchd");
    }
}
