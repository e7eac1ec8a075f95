package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.Command;
import java.util.Optional;

/**
 * What a leader keeps in mind besides the generations it has proposed.
 *
 * @param deafSince since when it has lacked fresh records of a majority; empty while it has them, or does not lead
 * @param mayHandOverAt when it may give its office away again
 * @param proposed the change of service under way
 * @param blockedUntil when another one may be proposed although the log has not brought that one
 * @param nobodyServesSince since when no node that is in service announces; empty while one does
 */
record OfficeState(
        Optional<MonotonicTime> deafSince,
        MonotonicTime mayHandOverAt,
        Optional<Command.SetService> proposed,
        MonotonicTime blockedUntil,
        Optional<MonotonicTime> nobodyServesSince) {
    static OfficeState initial(MonotonicTime now) {
        return new OfficeState(Optional.empty(), now, Optional.empty(), now, Optional.empty());
    }

    /** Another leads, or this node leads anew: what it saw as leader before counts no longer. */
    OfficeState forgotten() {
        return new OfficeState(Optional.empty(), mayHandOverAt, Optional.empty(), blockedUntil, Optional.empty());
    }

    OfficeState deaf(Optional<MonotonicTime> since) {
        return new OfficeState(since, mayHandOverAt, proposed, blockedUntil, nobodyServesSince);
    }

    OfficeState handedOver(MonotonicTime again) {
        return new OfficeState(Optional.empty(), again, proposed, blockedUntil, nobodyServesSince);
    }

    OfficeState proposing(Command.SetService command, MonotonicTime until) {
        return new OfficeState(deafSince, mayHandOverAt, Optional.of(command), until, nobodyServesSince);
    }

    OfficeState settled() {
        return new OfficeState(deafSince, mayHandOverAt, Optional.empty(), blockedUntil, nobodyServesSince);
    }

    OfficeState blocked(MonotonicTime until) {
        return new OfficeState(deafSince, mayHandOverAt, proposed, until, nobodyServesSince);
    }

    OfficeState nobodyServes(Optional<MonotonicTime> since) {
        return new OfficeState(deafSince, mayHandOverAt, proposed, blockedUntil, since);
    }
}
