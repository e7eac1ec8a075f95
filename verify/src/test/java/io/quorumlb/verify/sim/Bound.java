package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.PoolGuards;
import java.time.Duration;
import java.util.List;

/** How long a healed cluster may take to converge, from what its parts may take one after the other. */
final class Bound {
    /** A proposal and a barrier that were asked for while the log could not answer end after so long. */
    private static final Duration PROPOSAL_ENDS = Duration.ofSeconds(3);

    private static final Duration BARRIER_ENDS = Duration.ofSeconds(2);
    private static final Duration PROPOSAL_RETRY = Duration.ofMillis(200);
    private static final Duration BARRIER_RETRY = Duration.ofMillis(200);
    /** A probe whose answer never comes is given up so long after its timeout. */
    private static final Duration PROBE_LOST = Duration.ofSeconds(2);

    /** An operator sees that a change of the configuration is held and overrides the guard, a few times. */
    private static final Duration OVERRIDE = Duration.ofSeconds(4);

    /** The leader asks again for the log's time to pass; clocks drift by a fiftieth at the most. */
    private static final Duration TIME_PASSES = Duration.ofSeconds(1);

    private static final Duration AUDIT = Duration.ofSeconds(2);
    /** An address that moved is asked for each second; the one that had it has half a second to answer, twice. */
    private static final Duration NEIGHBOURS = Duration.ofMillis(2500);

    private static final Duration ANNOUNCE = Duration.ofSeconds(1);
    /** Nodes that left return one at a time: seen, heard, committed. */
    private static final Duration SERVICE = Duration.ofSeconds(1);

    /** A contradiction must last for so long, or for two intervals. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration GOSSIP = Duration.ofMillis(500);
    private static final Duration REACHABLE = Duration.ofSeconds(2);

    /** A node must have been well for so long before its gateways come home; then they do, one change after another. */
    private static final Duration GATEWAYS_HOME = Duration.ofSeconds(12);

    private Bound() {}

    static Duration of(Settings settings) {
        HealthMonitor monitor = settings.monitor();
        int agree = Math.max(monitor.rise(), monitor.fall());
        // Split votes: each round fails with a chance of less than a half.
        Duration election = settings.electionMax().multipliedBy(8);
        Duration detection = monitor.interval()
                .multipliedBy(agree + 1L)
                .plus(monitor.timeout())
                .plus(PROBE_LOST);
        Duration change = SimSwitch.CALL_MAX.plus(AUDIT.multipliedBy(2));
        return List.of(
                        election,
                        BARRIER_ENDS,
                        BARRIER_RETRY,
                        detection,
                        GOSSIP.multipliedBy(2),
                        settings.guards().settleMax(),
                        settings.guards().generationInterval(),
                        monitor.interval().plus(monitor.timeout()),
                        flapping(settings.guards().flapping()),
                        OVERRIDE,
                        Operators.TIMED_MAX.plus(TIME_PASSES),
                        PROPOSAL_ENDS,
                        PROPOSAL_RETRY,
                        NEIGHBOURS,
                        change,
                        SERVICE.multipliedBy(settings.nodes()),
                        monitor.interval().multipliedBy(monitor.rise()),
                        ANNOUNCE,
                        REACHABLE,
                        GATEWAYS_HOME)
                .stream()
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns how long a node that reaches no member may stay in traffic. */
    static Duration blindLeaves(Settings settings) {
        HealthMonitor monitor = settings.monitor();
        Duration found = monitor.interval().multipliedBy(monitor.fall() + 1L).plus(monitor.timeout());
        Duration twice = monitor.interval().multipliedBy(2);
        return found.plus(twice.compareTo(PATIENCE) > 0 ? twice : PATIENCE)
                .plus(GOSSIP.multipliedBy(2))
                .plus(SERVICE);
    }

    /** From its greatest penalty, twice the limit and a change, a member that is quiet comes back after so long. */
    private static Duration flapping(PoolGuards.Flapping flapping) {
        if (flapping.limit() == 0) {
            return Duration.ZERO;
        }
        int halfLives = 0;
        for (int penalty = 2 * flapping.limit() + PoolGuards.Flapping.FLIP; penalty >= flapping.reuse(); penalty /= 2) {
            halfLives++;
        }
        return flapping.halfLife().multipliedBy(halfLives);
    }
}
