package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import java.time.Duration;
import java.util.Optional;

/**
 * One member as this node probes it.
 *
 * @param riseFall what the results amount to
 * @param next when the next probe of the normal rhythm starts
 * @param queue probes that have started and not been counted
 * @param recheck the fast rhythm
 * @param lastResult when the last probe that was counted ended
 * @param detail the result that made health or suspicion what they are, or that first showed what was taken for granted
 *     until then, or the other way round
 * @param past the latest results, for people
 */
record MemberProbe(
        RiseFall riseFall,
        MonotonicTime next,
        ProbeQueue queue,
        Recheck recheck,
        Optional<MonotonicTime> lastResult,
        String detail,
        ProbePast past) {
    static MemberProbe first(MonotonicTime now) {
        return new MemberProbe(
                RiseFall.UNKNOWN, now, ProbeQueue.EMPTY, Recheck.none(now), Optional.empty(), "", ProbePast.NONE);
    }

    Optional<Health> health() {
        return riseFall.health();
    }

    boolean up() {
        return riseFall.health().equals(Optional.of(Health.UP));
    }

    boolean failing() {
        return suspicion() == Suspicion.SUSPECT;
    }

    Suspicion suspicion() {
        return riseFall.suspicion();
    }

    /** Returns true if the health rests on a probe that is young enough to count. */
    boolean fresh(MonotonicTime now, Duration limit) {
        return lastResult.filter(at -> now.since(at).compareTo(limit) <= 0).isPresent();
    }

    /**
     * Returns true if a probe of the normal rhythm is due; one at a time, while nobody doubts the member.
     *
     * @param inFlightMax how many probes may be under way before it
     */
    boolean due(MonotonicTime now, int inFlightMax) {
        return queue.open().size() < inFlightMax && now.reached(next);
    }

    /** A probe of the normal rhythm has started; the next one follows on its grid. */
    MemberProbe started(MonotonicTime now, MonotonicTime nextStart, HealthMonitor monitor) {
        return new MemberProbe(
                riseFall,
                nextStart,
                queue.started(now),
                recheck.after(now, monitor.fastInterval()),
                lastResult,
                detail,
                past);
    }

    /** A probe of the fast rhythm has started. */
    MemberProbe rechecked(MonotonicTime now, HealthMonitor monitor) {
        return new MemberProbe(
                riseFall,
                next,
                queue.started(now),
                recheck.spent(now, monitor.interval()).after(now, monitor.fastInterval()),
                lastResult,
                detail,
                past);
    }

    MemberProbe with(ProbeQueue other) {
        return new MemberProbe(riseFall, next, other, recheck, lastResult, detail, past);
    }

    MemberProbe with(Recheck other) {
        return new MemberProbe(riseFall, next, queue, other, lastResult, detail, past);
    }

    /** Counts one result. */
    MemberProbe counted(ProbeQueue.End end, HealthMonitor monitor) {
        RiseFall after = riseFall.after(end.result().success(), monitor.rise(), monitor.fall());
        boolean changed = !after.health().equals(riseFall.health())
                || after.suspicion() != riseFall.suspicion()
                || (end.result().success() && end.result().weak() != detail.startsWith(Observation.WEAK));
        return new MemberProbe(
                after,
                next,
                queue,
                recheck,
                Optional.of(end.at()),
                changed ? end.result().detail() : detail,
                past.with(end, !after.health().equals(riseFall.health())));
    }
}
