package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is held of another node's record.
 *
 * @param content its entries
 * @param latest last beat heard; may speak of a version that is not held yet
 * @param covering last beat whose version is held: the content holds as of it
 * @param via who brought the latest beat
 * @param ask when what is missing is asked for, at the earliest
 * @param asked how often it was asked for since something is missing
 */
record HeldRecord(
        Document content,
        Optional<HeardBeat> latest,
        Optional<HeardBeat> covering,
        NodeId via,
        MonotonicTime ask,
        int asked) {
    static HeldRecord nothing(NodeId owner, MonotonicTime now) {
        return new HeldRecord(Document.NOTHING, Optional.empty(), Optional.empty(), owner, now, 0);
    }

    /** Returns true if the owner's last beat speaks of more than is held, or a part of a delta is missing. */
    boolean lacks() {
        return !content.isWhole()
                || latest.filter(heard ->
                                content.stamp(heard.beat().owner()).before(heard.beat().stamp()))
                        .isPresent();
    }

    /**
     * Returns this with the beat, unless it is the last one again or an older one.
     *
     * @param patience what is missing may still be on its way for so long
     */
    HeldRecord with(HeardBeat heard, NodeId from, Duration patience) {
        if (latest.filter(last -> !heard.beat().newerThan(last.beat())).isPresent()) {
            return this;
        }
        var next = new HeldRecord(content, Optional.of(heard), covering, from, ask, asked).settled();
        return next.lacks() && !lacks() ? next.asking(heard.at().plus(patience), 0) : next;
    }

    /** Returns this with a delta that its content takes. */
    HeldRecord with(Delta delta) {
        return new HeldRecord(content.with(delta), latest, covering, via, ask, asked).settled();
    }

    HeldRecord asking(MonotonicTime next, int times) {
        return new HeldRecord(content, latest, covering, via, next, times);
    }

    /** A beat covers the content if it is of the same life and of no later version, and no part is missing. */
    private HeldRecord settled() {
        Optional<HeardBeat> covers = latest.filter(heard -> content.isWhole()
                        && heard.beat().incarnation() == content.incarnation()
                        && heard.beat().version() <= content.version())
                .or(() -> covering.filter(heard -> heard.beat().incarnation() == content.incarnation()));
        return new HeldRecord(content, latest, covers, via, ask, asked);
    }

    /** Returns the record as of now; empty until enough of it is held. */
    Optional<NodeRecord> asOf(MonotonicTime now) {
        return covering.flatMap(heard -> content.report(heard.beat())
                .map(report -> new NodeRecord(
                        heard.beat().owner(),
                        heard.beat().incarnation(),
                        heard.beat().sequence(),
                        heard.age(now),
                        report)));
    }

    /** Returns what the owner has found of a member, its age as of now. */
    Optional<Observation> observation(int memberId, MonotonicTime now) {
        return covering.flatMap(heard -> content.member(memberId).flatMap(found -> aged(found, heard, now)));
    }

    /** Returns what the owner has found of all members, ages as of now. */
    List<Observation> observations(MonotonicTime now) {
        List<Observation> all = new ArrayList<>();
        covering.ifPresent(heard -> content.members()
                .values()
                .forEach(found -> aged(found, heard, now).ifPresent(all::add)));
        return all;
    }

    /** An observation without a bound on its age says nothing. */
    private static Optional<Observation> aged(Content.OfMember found, HeardBeat heard, MonotonicTime now) {
        return Optional.ofNullable(heard.beat().bounds().get(found.interval()))
                .map(bound -> found.seen().aged(bound.plus(heard.age(now))));
    }
}
