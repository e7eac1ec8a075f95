package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is held of another node's record.
 *
 * @param content its entries
 * @param report what they make up of the owner's report, without ages; empty until its own entry is held
 * @param latest last beat heard; may speak of a version that is not held yet
 * @param covering last beat whose version is held: the content holds as of it
 * @param via who brought the latest beat
 * @param ask when what is missing is asked for, at the earliest
 * @param asked how often it was asked for since something is missing
 */
record HeldRecord(
        Document content,
        Optional<NodeReport> report,
        Optional<HeardBeat> latest,
        Optional<HeardBeat> covering,
        NodeId via,
        MonotonicTime ask,
        int asked) {
    static HeldRecord nothing(NodeId owner, MonotonicTime now) {
        return new HeldRecord(Document.NOTHING, Optional.empty(), Optional.empty(), Optional.empty(), owner, now, 0);
    }

    /** Returns true if the owner's last beat speaks of more than is held, or a part of a delta is missing. */
    boolean lacks() {
        return !content.isWhole()
                || latest.filter(heard -> content.stamp(heard.beat().owner())
                                .before(heard.beat().stamp()))
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
        var next = new HeldRecord(content, report, Optional.of(heard), covering, from, ask, asked).settled();
        return next.lacks() && !lacks() ? next.asking(heard.at().plus(patience), 0) : next;
    }

    /** Returns this with a delta that its content takes. */
    HeldRecord with(Delta delta) {
        Document next = content.with(delta);
        boolean membersOnly = delta.incarnation() == content.incarnation()
                && delta.entries().stream().allMatch(entry -> entry.key().kind() == EntryKey.MEMBER);
        return new HeldRecord(next, membersOnly ? report : next.report(), latest, covering, via, ask, asked).settled();
    }

    HeldRecord asking(MonotonicTime next, int times) {
        return new HeldRecord(content, report, latest, covering, via, next, times);
    }

    /** A beat covers the content if it is of the same life and of no later version, and no part is missing. */
    private HeldRecord settled() {
        Optional<HeardBeat> covers = latest.filter(heard -> content.isWhole()
                        && heard.beat().incarnation() == content.incarnation()
                        && heard.beat().version() <= content.version())
                .or(() -> covering.filter(heard -> heard.beat().incarnation() == content.incarnation()));
        return new HeldRecord(content, report, latest, covers, via, ask, asked);
    }

    /** Returns how long ago the owner said that all this holds, in everybody's hands; empty if it never did. */
    Optional<Duration> age(MonotonicTime now) {
        return covering.map(heard -> heard.age(now));
    }

    /** Returns what the owner says of itself as of now; empty until enough of it is held. */
    Optional<NodeRecord> asOf(MonotonicTime now) {
        return covering.flatMap(heard -> report.map(said -> new NodeRecord(
                heard.beat().owner(),
                heard.beat().incarnation(),
                heard.beat().sequence(),
                heard.age(now),
                said.with(heard.beat().peers(), heard.beat().readBackAge()))));
    }

    /** Returns true if the owner sees any member down. */
    boolean seesDown() {
        return content.entries().down() > 0;
    }

    /** Returns a bound on the age of the youngest observation as of now; empty if there is none. */
    Optional<Duration> youngest(MonotonicTime now) {
        return covering.flatMap(heard -> heard.beat().bounds().values().stream()
                .min(Duration::compareTo)
                .map(bound -> bound.plus(heard.age(now))));
    }

    /** Returns what the owner has found of a member, its age as of now. */
    Optional<Observation> observation(int memberId, MonotonicTime now) {
        return covering.flatMap(heard -> content.member(memberId).flatMap(found -> aged(found, heard, heard.age(now))));
    }

    /** Returns what the owner has found of the members that it doubts, ages as of now. */
    List<Observation> suspects(MonotonicTime now) {
        List<Observation> found = new ArrayList<>();
        for (int memberId : content.entries().suspects()) {
            observation(memberId, now).ifPresent(found::add);
        }
        return Collections.unmodifiableList(found);
    }

    /** Returns what the owner has found of all members, ages as of now. */
    List<Observation> observations(MonotonicTime now) {
        return observations(heard -> heard.age(now));
    }

    /** Returns what the owner had found of all members when it last said that all this holds. */
    List<Observation> observationsThen() {
        return observations(_ -> Duration.ZERO);
    }

    private List<Observation> observations(Function<HeardBeat, Duration> since) {
        List<Observation> all = new ArrayList<>();
        covering.ifPresent(heard -> content.members()
                .values()
                .forEach(found -> aged(found, heard, since.apply(heard)).ifPresent(all::add)));
        return Collections.unmodifiableList(all);
    }

    /** An observation without a bound on its age says nothing. */
    private static Optional<Observation> aged(Content.OfMember found, HeardBeat heard, Duration since) {
        return Optional.ofNullable(heard.beat().bounds().get(found.interval()))
                .map(bound -> found.seen().withAge(bound.plus(since)));
    }
}
