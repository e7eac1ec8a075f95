package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import java.time.Duration;
import java.util.Optional;

/**
 * One member as this node probes it.
 *
 * @param riseFall what the results amount to
 * @param next when the next probe starts
 * @param inFlightSince start of the probe that has not ended
 * @param lastResult when the last probe ended
 * @param detail what it found
 */
record MemberProbe(
        RiseFall riseFall,
        MonotonicTime next,
        Optional<MonotonicTime> inFlightSince,
        Optional<MonotonicTime> lastResult,
        String detail) {
    /** A result that is this late beyond the timeout is given up, so that a lost one costs no more than a period. */
    private static final Duration LOST_AFTER = Duration.ofSeconds(2);

    static MemberProbe first(MonotonicTime now) {
        return new MemberProbe(RiseFall.UNKNOWN, now, Optional.empty(), Optional.empty(), "");
    }

    boolean due(MonotonicTime now, HealthMonitor monitor) {
        boolean free = inFlightSince
                .map(start -> now.reached(start.plus(monitor.timeout()).plus(LOST_AFTER)))
                .orElse(true);
        return free && now.reached(next);
    }

    MemberProbe started(MonotonicTime now, MonotonicTime nextStart) {
        return new MemberProbe(riseFall, nextStart, Optional.of(now), lastResult, detail);
    }

    MemberProbe finished(ProbeResult result, HealthMonitor monitor, MonotonicTime now) {
        return new MemberProbe(
                riseFall.after(result.success(), monitor.rise(), monitor.fall()),
                next,
                Optional.empty(),
                Optional.of(now),
                result.detail());
    }
}
