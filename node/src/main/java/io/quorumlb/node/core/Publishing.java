package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes this node's own record: gives what has changed a new version, and a beat to all of it. */
final class Publishing {
    /**
     * An observation that would look old to others before the next beat reaches them is withdrawn: it would make all
     * others with the same interval look as old.
     */
    private static final Duration BEFORE_OLD = Duration.ofMillis(700);

    /** So often within an interval all observations of its probes are looked at, but not more often than a beat comes. */
    private static final int LOOKS_AN_INTERVAL = 16;

    /** So many removed entries are remembered for those who have not heard; then the record begins anew. */
    static final int GONE_MAX = 4096;

    private final NodeState state;
    private final Published last;
    private final MonotonicTime now;
    private final List<Entry> changed = new ArrayList<>();
    private long version;

    private Publishing(NodeState state, MonotonicTime now) {
        this.state = state;
        this.now = now;
        this.last = state.gossip().own();
        this.version = last.content().version();
    }

    /**
     * Returns the own record as of now, with a new beat.
     *
     * @param state of which it speaks
     * @param beats true if a beat is due, at which every observation's age is looked at if one may have become too old;
     *     else those that changed are looked at only
     */
    static Published next(NodeState state, MonotonicTime now, boolean beats) {
        var publishing = new Publishing(state, now);
        return publishing.next(beats ? publishing.stale() : new TreeSet<>());
    }

    /**
     * Returns the intervals of probes whose observations have to be looked at: their ages are known too loosely, one may have
     * become too old, or be of probes at another interval than it says.
     */
    private SortedSet<Duration> stale() {
        SortedMap<Integer, Pool> pools = state.cluster().model().pools();
        SortedSet<Duration> stale = new TreeSet<>();
        if (!last.pools().equals(pools)) {
            stale.addAll(last.bounds().keySet());
            pools.values().forEach(pool -> stale.add(pool.monitor().interval()));
            return stale;
        }
        Duration since = now.since(last.boundsAt());
        last.bounds().forEach((interval, bound) -> {
            boolean loose = Optional.ofNullable(last.lookedAt().get(interval))
                    .filter(at -> now.since(at).multipliedBy(LOOKS_AN_INTERVAL).compareTo(interval) < 0)
                    .isEmpty();
            if (loose || bound.plus(since).compareTo(goodFor(interval)) >= 0) {
                stale.add(interval);
            }
        });
        return stale;
    }

    private Published next(SortedSet<Duration> stale) {
        NodeReport report = Reporting.report(state, now);
        put(EntryKey.node(), new Content.OfNode(report.lasting()));
        pools(report.pools());
        SortedMap<Duration, Duration> bounds = changedMembers();
        if (!stale.isEmpty()) {
            bounds.keySet().removeAll(stale);
            bounds.putAll(membersOf(stale));
        }
        Document content = new Document(
                last.content().incarnation(),
                version,
                version,
                last.content().entries().with(changed));
        if (content.entries().gone() > GONE_MAX) {
            content = new Document(
                    content.incarnation() + 1,
                    version,
                    version,
                    content.entries().withoutGone());
        }
        var beat = new Beat(
                state.settings().self(),
                content.incarnation(),
                last.sequence() + 1,
                version,
                Duration.ZERO,
                bounds,
                report.peers(),
                report.datapath().readBackAge(),
                OpaqueBytes.NONE);
        return new Published(
                content,
                beat.sequence(),
                state.probes(),
                stale.isEmpty() ? last.pools() : state.cluster().model().pools(),
                stale.isEmpty() ? boundsThen(bounds) : bounds,
                stale.isEmpty() ? last.boundsAt() : now,
                lookedAt(stale),
                Optional.of(new HeardBeat(beat, now)));
    }

    private SortedMap<Duration, MonotonicTime> lookedAt(SortedSet<Duration> intervals) {
        SortedMap<Duration, MonotonicTime> looked = new TreeMap<>(last.lookedAt());
        intervals.forEach(interval -> looked.put(interval, now));
        return looked;
    }

    private void pools(List<PoolReport> reports) {
        SortedSet<Integer> present = new TreeSet<>();
        for (PoolReport report : reports) {
            present.add(report.poolId());
            put(EntryKey.pool(report.poolId()), new Content.OfPool(report));
        }
        for (Entry entry : last.content().entries().ofKind(EntryKey.POOL)) {
            if (!present.contains(entry.key().id())) {
                put(entry.key(), new Content.Gone());
            }
        }
    }

    /**
     * Looks at the members whose probes have changed. The others are no older than the bounds and the time since, if
     * they were there when all were looked at, and else no older than the time since.
     */
    private SortedMap<Duration, Duration> changedMembers() {
        SortedMap<Duration, Duration> changedOnly = new TreeMap<>();
        for (int id : state.probes().changedSince(last.probes())) {
            member(id, changedOnly);
        }
        Duration since = now.since(last.boundsAt());
        SortedMap<Duration, Duration> bounds = new TreeMap<>();
        last.bounds().forEach((interval, bound) -> bounds.put(interval, bound.plus(since)));
        changedOnly.forEach((interval, age) -> bounds.merge(interval, later(age, since), Publishing::later));
        return bounds;
    }

    /** Returns what the bounds must have been when all were looked at, so that they are what they are now. */
    private SortedMap<Duration, Duration> boundsThen(SortedMap<Duration, Duration> bounds) {
        SortedMap<Duration, Duration> then = new TreeMap<>();
        bounds.forEach((interval, bound) -> then.put(interval, bound.minus(now.since(last.boundsAt()))));
        return then;
    }

    private static Duration later(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Looks at all members that are probed at one of the intervals. */
    private SortedMap<Duration, Duration> membersOf(SortedSet<Duration> intervals) {
        SortedMap<Duration, Duration> bounds = new TreeMap<>();
        Model model = state.cluster().model();
        for (Pool pool : model.pools().values()) {
            if (intervals.contains(pool.monitor().interval())) {
                model.membersOf(pool.id()).forEach(member -> member(member.id(), bounds));
            }
        }
        return bounds;
    }

    private void member(int id, SortedMap<Duration, Duration> bounds) {
        Optional<HealthMonitor> monitor = state.monitor(id);
        Optional<Observation> seen = state.ownObservation(id, now)
                .filter(found -> monitor.isPresent()
                        && found.age().compareTo(goodFor(monitor.get().interval())) <= 0);
        if (seen.isEmpty() || monitor.isEmpty()) {
            put(EntryKey.member(id), new Content.Gone());
            return;
        }
        Duration interval = monitor.get().interval();
        bounds.merge(interval, seen.get().age(), Publishing::later);
        put(EntryKey.member(id), new Content.OfMember(seen.get().withAge(Duration.ZERO), interval));
    }

    /** Returns how old an observation of probes at an interval may be when it is published. */
    static Duration goodFor(Duration interval) {
        Duration fresh = Verdicts.freshFor(interval);
        Duration good = fresh.minus(BEFORE_OLD);
        Duration half = fresh.dividedBy(2);
        return good.compareTo(half) < 0 ? half : good;
    }

    private void put(EntryKey key, Content content) {
        Optional<Content> before = last.content().entries().get(key).map(Entry::content);
        boolean same = before.map(content::equals).orElse(content instanceof Content.Gone);
        if (!same) {
            version++;
            changed.add(Entry.own(key, version, content));
        }
    }
}
