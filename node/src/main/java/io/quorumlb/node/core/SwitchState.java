package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.maglev.Digest;
import io.quorumlb.node.core.SwitchComparison.Attempt;
import io.quorumlb.ovs.flow.FlowDifference;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The switch as this node knows it.
 *
 * @param phase what is going on with it
 * @param reading what it held when it was last read
 * @param readAgainAt when it is to be read before the next audit, if there is a reason
 * @param built tables by pool
 * @param serving what each pool forwards by: its newest generation that could be installed
 * @param comparison what it holds beside what it should hold
 * @param repairs what others had changed and was put right
 * @param outage how often it went away
 * @param setup how it is configured
 * @param worked what the comparison was last worked out from; while that stays, so does its result
 */
record SwitchState(
        Phase phase,
        SwitchReading reading,
        Optional<MonotonicTime> readAgainAt,
        SortedMap<Integer, BuiltTable> built,
        SortedMap<Integer, ServedPool> serving,
        SwitchComparison comparison,
        Repairs repairs,
        SwitchOutage outage,
        SwitchSetup setup,
        Optional<Worked> worked) {
    /**
     * All that decides what the switch should hold, and what it holds.
     *
     * @param cluster what is committed
     * @param neighbours edition of who is where
     * @param network the kernel's interfaces
     * @param reading edition of what the switch holds
     */
    record Worked(ClusterState cluster, long neighbours, Optional<NetworkView> network, long reading) {
        /**
         * Returns the pools that may be served otherwise than when an earlier world was worked out; empty if that may be all
         * of them.
         */
        Optional<SortedSet<Integer>> otherPools(Worked earlier) {
            if (neighbours != earlier.neighbours
                    || !cluster.model()
                            .segments()
                            .equals(earlier.cluster.model().segments())) {
                return Optional.empty();
            }
            return Optional.of(cluster.poolsChangedSince(earlier.cluster));
        }
    }

    SwitchState {
        // What is unmodifiable already stays the same object, which makes comparing cheap.
        built = Collections.unmodifiableSortedMap(built);
        serving = Collections.unmodifiableSortedMap(serving);
    }

    /** One thing at a time. */
    enum Phase {
        IDLE,
        READING,
        CHANGING
    }

    static SwitchState initial(MonotonicTime now) {
        return new SwitchState(
                Phase.IDLE,
                SwitchReading.untried(now),
                Optional.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                SwitchComparison.none(),
                Repairs.none(now),
                SwitchOutage.none(),
                SwitchSetup.unknown(),
                Optional.empty());
    }

    Optional<SwitchSnapshot> snapshot() {
        return reading.snapshot();
    }

    Optional<SwitchIntent> compared() {
        return comparison.compared();
    }

    Optional<SwitchIntent> proven() {
        return comparison.proven();
    }

    SwitchState in(Phase other) {
        return copy(other, reading, readAgainAt, comparison);
    }

    /** A reading was asked for; what was a reason to read again is answered by it. */
    SwitchState asked(MonotonicTime now) {
        return copy(Phase.READING, reading.asked(now), Optional.empty(), comparison);
    }

    /** It is to be read no later than this. */
    SwitchState readAgain(MonotonicTime at) {
        Optional<MonotonicTime> sooner =
                readAgainAt.filter(before -> at.reached(before)).or(() -> Optional.of(at));
        return copy(phase, reading, sooner, comparison);
    }

    /** It holds what it held before. */
    SwitchState readTheSame(SwitchSnapshot now, MonotonicTime at, long flowModsSent) {
        return copy(Phase.IDLE, reading.same(now, at, flowModsSent), readAgainAt, comparison);
    }

    SwitchState read(SwitchSnapshot now, SortedMap<Integer, Digest> digests, MonotonicTime at, long flowModsSent) {
        return copy(Phase.IDLE, reading.other(now, digests, at, flowModsSent), readAgainAt, comparison.outdated());
    }

    /** All of it was read, and only of some pools it holds something else than before. */
    SwitchState readSuspecting(
            SwitchSnapshot now,
            SortedMap<Integer, Digest> digests,
            SortedSet<Integer> pools,
            MonotonicTime at,
            long flowModsSent) {
        return copy(
                Phase.IDLE, reading.other(now, digests, at, flowModsSent), readAgainAt, comparison.suspecting(pools));
    }

    SwitchState sweeping(Sweep begun) {
        return copy(phase, reading.sweeping(begun), readAgainAt, comparison);
    }

    /** A part of an audit was read; of some pools it holds something else than before. */
    SwitchState swept(
            SwitchSnapshot now,
            SortedMap<Integer, Digest> digests,
            SortedSet<Integer> pools,
            MonotonicTime at,
            long flowModsSent) {
        return copy(
                Phase.IDLE,
                reading.swept(now, digests, !pools.isEmpty(), at, flowModsSent),
                readAgainAt,
                pools.isEmpty() ? comparison : comparison.suspectingPart(pools));
    }

    /** Some pools were read; when all of it was read last stays. */
    SwitchState readPools(SwitchSnapshot now, SortedMap<Integer, Digest> digests, long flowModsSent) {
        return copy(Phase.IDLE, reading.other(now, digests, flowModsSent), readAgainAt, comparison.partlyOutdated());
    }

    SwitchState failed(String reason, MonotonicTime retryAt) {
        return copy(Phase.IDLE, reading.failed(reason, retryAt), Optional.empty(), SwitchComparison.none());
    }

    /** What was known of it is void; a call that is under way goes on. */
    SwitchState forgotten() {
        return copy(phase, reading, readAgainAt, SwitchComparison.none());
    }

    SwitchState unproven() {
        return copy(phase, reading, readAgainAt, comparison.unproven());
    }

    SwitchState withInstalled(SortedMap<Integer, Digest> digests) {
        return copy(phase, reading.withInstalled(digests), readAgainAt, comparison);
    }

    /** Takes the maps: nobody may change them afterwards. */
    SwitchState withTables(SortedMap<Integer, BuiltTable> tables, SortedMap<Integer, ServedPool> pools) {
        if (tables.equals(built) && pools.equals(serving)) {
            return this;
        }
        return new SwitchState(phase, reading, readAgainAt, tables, pools, comparison, repairs, outage, setup, worked);
    }

    SwitchState changing(Attempt change, Optional<SortedSet<Integer>> left) {
        return copy(Phase.CHANGING, reading, readAgainAt, comparison.changing(change, left));
    }

    SwitchState repaired(List<FlowDifference> found, MonotonicTime now) {
        return with(repairs.made(found, now));
    }

    SwitchState waiting(SwitchIntent intent) {
        return copy(phase, reading, readAgainAt, comparison.waiting(intent));
    }

    SwitchState equal(SwitchIntent intent, SortedSet<Integer> part, SortedSet<Integer> left) {
        return copy(phase, reading, readAgainAt, comparison.equal(intent, part, left));
    }

    SwitchState equal(SwitchIntent intent) {
        return copy(phase, reading, readAgainAt, comparison.equal(intent));
    }

    SwitchState with(Repairs other) {
        return new SwitchState(phase, reading, readAgainAt, built, serving, comparison, other, outage, setup, worked);
    }

    SwitchState with(SwitchOutage other) {
        return new SwitchState(phase, reading, readAgainAt, built, serving, comparison, repairs, other, setup, worked);
    }

    SwitchState with(SwitchSetup other) {
        return new SwitchState(phase, reading, readAgainAt, built, serving, comparison, repairs, outage, other, worked);
    }

    SwitchState with(Worked inputs) {
        return new SwitchState(
                phase, reading, readAgainAt, built, serving, comparison, repairs, outage, setup, Optional.of(inputs));
    }

    private SwitchState copy(
            Phase nextPhase,
            SwitchReading nextReading,
            Optional<MonotonicTime> nextRead,
            SwitchComparison nextComparison) {
        return new SwitchState(
                nextPhase, nextReading, nextRead, built, serving, nextComparison, repairs, outage, setup, worked);
    }
}
