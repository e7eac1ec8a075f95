package io.quorumlb.node.core;

import io.quorumlb.maglev.Digest;
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
 * @param snapshot what it held when it was last read; empty if that is not known
 * @param readAt when it was last read, or when it may be tried again after a failure
 * @param failure why it is not known; empty if it is
 * @param installed digests of the tables read back, by pool
 * @param built tables by pool
 * @param serving what each pool forwards by: its newest generation that could be installed
 * @param compared the intent that the snapshot was last compared with
 * @param proven the intent that the snapshot was last found equal to
 * @param attempt the last change, until the switch is found to hold what it asked for
 * @param repaired own flows that others had changed and the audit put right
 * @param flowModsSent flow-mods since the start
 */
record SwitchState(
        Phase phase,
        Optional<SwitchSnapshot> snapshot,
        MonotonicTime readAt,
        String failure,
        SortedMap<Integer, Digest> installed,
        SortedMap<Integer, BuiltTable> built,
        SortedMap<Integer, ServedPool> serving,
        Optional<SwitchIntent> compared,
        Optional<SwitchIntent> proven,
        Optional<Attempt> attempt,
        long repaired,
        long flowModsSent) {
    SwitchState {
        installed = Collections.unmodifiableSortedMap(new TreeMap<>(installed));
        built = Collections.unmodifiableSortedMap(new TreeMap<>(built));
        serving = Collections.unmodifiableSortedMap(new TreeMap<>(serving));
    }

    /** One thing at a time. */
    enum Phase {
        IDLE,
        READING,
        CHANGING
    }

    /**
     * A change that was sent.
     *
     * @param intent what the switch was to hold
     * @param count how many times in a row it has been sent for this intent
     * @param retryAt when it may be sent again if the switch is found not to hold it
     */
    record Attempt(SwitchIntent intent, int count, MonotonicTime retryAt) {}

    static SwitchState initial(MonotonicTime now) {
        return new SwitchState(
                Phase.IDLE,
                Optional.empty(),
                now,
                "not read yet",
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                0,
                0);
    }

    SwitchState in(Phase other) {
        return new SwitchState(
                other,
                snapshot,
                readAt,
                failure,
                installed,
                built,
                serving,
                compared,
                proven,
                attempt,
                repaired,
                flowModsSent);
    }

    SwitchState read(SwitchSnapshot now, SortedMap<Integer, Digest> digests, MonotonicTime at, long flowMods) {
        return new SwitchState(
                Phase.IDLE,
                Optional.of(now),
                at,
                "",
                digests,
                built,
                serving,
                Optional.empty(),
                proven,
                attempt,
                repaired,
                flowMods);
    }

    SwitchState failed(String reason, MonotonicTime retryAt) {
        return new SwitchState(
                Phase.IDLE,
                Optional.empty(),
                retryAt,
                reason,
                new TreeMap<>(),
                built,
                serving,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                repaired,
                flowModsSent);
    }

    /** What was proven before a pause says nothing about the time after it. */
    SwitchState unproven() {
        return new SwitchState(
                phase,
                snapshot,
                readAt,
                failure,
                installed,
                built,
                serving,
                Optional.empty(),
                Optional.empty(),
                attempt,
                repaired,
                flowModsSent);
    }

    SwitchState withInstalled(SortedMap<Integer, Digest> digests) {
        return new SwitchState(
                phase,
                snapshot,
                readAt,
                failure,
                digests,
                built,
                serving,
                compared,
                proven,
                attempt,
                repaired,
                flowModsSent);
    }

    SwitchState withTables(SortedMap<Integer, BuiltTable> tables, SortedMap<Integer, ServedPool> pools) {
        return new SwitchState(
                phase,
                snapshot,
                readAt,
                failure,
                installed,
                tables,
                pools,
                compared,
                proven,
                attempt,
                repaired,
                flowModsSent);
    }

    SwitchState different(Attempt change, long repairedNow) {
        return new SwitchState(
                Phase.CHANGING,
                snapshot,
                readAt,
                failure,
                installed,
                built,
                serving,
                Optional.of(change.intent()),
                Optional.empty(),
                Optional.of(change),
                repaired + repairedNow,
                flowModsSent);
    }

    SwitchState waiting(SwitchIntent intent) {
        return new SwitchState(
                phase,
                snapshot,
                readAt,
                failure,
                installed,
                built,
                serving,
                Optional.of(intent),
                Optional.empty(),
                attempt,
                repaired,
                flowModsSent);
    }

    SwitchState equal(SwitchIntent intent) {
        return new SwitchState(
                phase,
                snapshot,
                readAt,
                failure,
                installed,
                built,
                serving,
                Optional.of(intent),
                Optional.of(intent),
                Optional.empty(),
                repaired,
                flowModsSent);
    }
}
