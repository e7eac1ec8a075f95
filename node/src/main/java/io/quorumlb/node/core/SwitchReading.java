package io.quorumlb.node.core;

import io.quorumlb.maglev.Digest;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.Cookie;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the switch held when it was last read.
 *
 * @param snapshot what it held; empty if that is not known
 * @param at when all of it was read, or when it may be tried again after a failure
 * @param failure why it is not known; empty if it is
 * @param installed digests of the tables read back, by set of slots, which for a pool's own is its id
 * @param failClosed packets that were dropped because a pool had no member, when all was last read
 * @param flowModsSent flow-mods since the start
 * @param edition another number whenever something else was found than before
 * @param asked when the last reading of all began
 * @param took how long the last one took that ended
 * @param wholeAt when all of it was read at once, by an audit by parts as little as by the reading of some pools
 * @param sweep an audit by parts that has begun
 */
record SwitchReading(
        Optional<SwitchSnapshot> snapshot,
        MonotonicTime at,
        String failure,
        SortedMap<Integer, Digest> installed,
        long failClosed,
        long flowModsSent,
        long edition,
        MonotonicTime asked,
        Duration took,
        MonotonicTime wholeAt,
        Optional<Sweep> sweep) {
    private static final String NOT_YET = "not read yet";

    SwitchReading {
        installed = Collections.unmodifiableSortedMap(new TreeMap<>(installed));
    }

    /** Returns the reading of a node that has just started: it says nothing of the switch. */
    static SwitchReading untried(MonotonicTime now) {
        return new SwitchReading(
                Optional.empty(), now, NOT_YET, new TreeMap<>(), 0, 0, 0, now, Duration.ZERO, now, Optional.empty());
    }

    /** Returns true if nobody has tried to read the switch to an end yet. */
    boolean isUntried() {
        return failure.equals(NOT_YET);
    }

    private static long failClosed(SwitchSnapshot snapshot) {
        return snapshot.own().values().stream()
                .filter(flow -> Cookie.isKind(flow.flow().cookie(), Cookie.Kind.FAIL_CLOSE))
                .mapToLong(InstalledFlow::packets)
                .sum();
    }

    /** All of it is asked for. */
    SwitchReading asked(MonotonicTime now) {
        return asked(now, Optional.empty());
    }

    /** A part of it is asked for. */
    SwitchReading sweeping(Sweep begun) {
        return asked(asked, Optional.of(begun));
    }

    private SwitchReading asked(MonotonicTime begun, Optional<Sweep> parts) {
        return new SwitchReading(
                snapshot, at, failure, installed, failClosed, flowModsSent, edition, begun, took, wholeAt, parts);
    }

    /**
     * A part of it was read.
     *
     * @param other whether something else was found than before
     */
    SwitchReading swept(
            SwitchSnapshot now,
            SortedMap<Integer, Digest> digests,
            boolean other,
            MonotonicTime readAt,
            long flowMods) {
        Optional<Sweep> going = sweep.map(begun -> begun.read(readAt))
                .filter(begun -> !begun.left().isEmpty());
        boolean ended = sweep.isPresent() && going.isEmpty();
        return new SwitchReading(
                Optional.of(now),
                ended ? sweep.get().begun() : at,
                "",
                digests,
                ended ? failClosed(now) : failClosed,
                flowMods,
                other ? edition + 1 : edition,
                asked,
                took,
                wholeAt,
                going);
    }

    /** It could not be read. */
    SwitchReading failed(String reason, MonotonicTime tryAt) {
        return new SwitchReading(
                Optional.empty(),
                tryAt,
                reason,
                new TreeMap<>(),
                0,
                flowModsSent,
                edition + 1,
                asked,
                took,
                wholeAt,
                Optional.empty());
    }

    /** It holds what it held before, whatever it has counted since. */
    SwitchReading same(SwitchSnapshot now, MonotonicTime readAt, long flowMods) {
        return new SwitchReading(
                Optional.of(now),
                readAt,
                "",
                installed,
                failClosed(now),
                flowMods,
                edition,
                asked,
                readAt.since(asked),
                readAt,
                Optional.empty());
    }

    /** It holds something else, which amounts to other digests. */
    SwitchReading other(SwitchSnapshot now, SortedMap<Integer, Digest> digests, MonotonicTime readAt, long flowMods) {
        return new SwitchReading(
                Optional.of(now),
                readAt,
                "",
                digests,
                failClosed(now),
                flowMods,
                edition + 1,
                asked,
                readAt.since(asked),
                readAt,
                Optional.empty());
    }

    /** What pools hold that were read alone is something else; when all was read last stays. */
    SwitchReading other(SwitchSnapshot now, SortedMap<Integer, Digest> digests, long flowMods) {
        return new SwitchReading(
                Optional.of(now), at, "", digests, failClosed, flowMods, edition + 1, asked, took, wholeAt, sweep);
    }

    SwitchReading withInstalled(SortedMap<Integer, Digest> digests) {
        return new SwitchReading(
                snapshot, at, failure, digests, failClosed, flowModsSent, edition, asked, took, wholeAt, sweep);
    }
}
