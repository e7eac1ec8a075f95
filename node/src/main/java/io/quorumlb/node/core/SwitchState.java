package io.quorumlb.node.core;

import io.quorumlb.maglev.Digest;
import io.quorumlb.node.core.SwitchComparison.Attempt;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The switch as this node knows it.
 *
 * @param phase what is going on with it
 * @param reading what it held when it was last read
 * @param built tables by pool
 * @param serving what each pool forwards by: its newest generation that could be installed
 * @param comparison what it holds beside what it should hold
 */
record SwitchState(
        Phase phase,
        SwitchReading reading,
        SortedMap<Integer, BuiltTable> built,
        SortedMap<Integer, ServedPool> serving,
        SwitchComparison comparison) {
    SwitchState {
        built = Collections.unmodifiableSortedMap(new TreeMap<>(built));
        serving = Collections.unmodifiableSortedMap(new TreeMap<>(serving));
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
                SwitchReading.none("not read yet", now, 0),
                new TreeMap<>(),
                new TreeMap<>(),
                SwitchComparison.none());
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
        return new SwitchState(other, reading, built, serving, comparison);
    }

    SwitchState read(SwitchSnapshot now, SortedMap<Integer, Digest> digests, MonotonicTime at, long flowModsSent) {
        return new SwitchState(
                Phase.IDLE,
                new SwitchReading(Optional.of(now), at, "", digests, flowModsSent),
                built,
                serving,
                comparison.outdated());
    }

    SwitchState failed(String reason, MonotonicTime retryAt) {
        return new SwitchState(
                Phase.IDLE,
                SwitchReading.none(reason, retryAt, reading.flowModsSent()),
                built,
                serving,
                comparison.lost());
    }

    SwitchState unproven() {
        return new SwitchState(phase, reading, built, serving, comparison.unproven());
    }

    SwitchState withInstalled(SortedMap<Integer, Digest> digests) {
        return new SwitchState(phase, reading.withInstalled(digests), built, serving, comparison);
    }

    SwitchState withTables(SortedMap<Integer, BuiltTable> tables, SortedMap<Integer, ServedPool> pools) {
        return new SwitchState(phase, reading, tables, pools, comparison);
    }

    SwitchState different(Attempt change, long repairedNow) {
        return new SwitchState(Phase.CHANGING, reading, built, serving, comparison.changing(change, repairedNow));
    }

    SwitchState waiting(SwitchIntent intent) {
        return new SwitchState(phase, reading, built, serving, comparison.waiting(intent));
    }

    SwitchState equal(SwitchIntent intent) {
        return new SwitchState(phase, reading, built, serving, comparison.equal(intent));
    }
}
