package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
     * @param all true to look at every observation's age, false to look at those that changed only
     */
    static Published next(NodeState state, MonotonicTime now, boolean all) {
        return new Publishing(state, now).next(all);
    }

    private Published next(boolean all) {
        NodeReport report = Reporting.report(state, now);
        put(EntryKey.node(), new Content.OfNode(report.lasting()));
        pools(report.pools());
        SortedMap<Duration, Duration> bounds = all ? allMembers() : changedMembers();
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
                all ? bounds : boundsThen(bounds),
                all ? now : last.boundsAt(),
                Optional.of(new HeardBeat(beat, now)));
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
        for (int id : differing(last.probes(), state.probes())) {
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

    private SortedMap<Duration, Duration> allMembers() {
        SortedMap<Duration, Duration> bounds = new TreeMap<>();
        SortedSet<Integer> ids = new TreeSet<>(state.probes().keySet());
        ids.addAll(last.probes().keySet());
        for (int id : ids) {
            member(id, bounds);
        }
        return bounds;
    }

    private void member(int id, SortedMap<Duration, Duration> bounds) {
        Optional<HealthMonitor> monitor = state.monitor(id);
        Optional<Observation> seen = state.ownObservation(id, now)
                .filter(found -> monitor.isPresent() && found.age().compareTo(goodFor(monitor.get())) <= 0);
        if (seen.isEmpty() || monitor.isEmpty()) {
            put(EntryKey.member(id), new Content.Gone());
            return;
        }
        Duration interval = monitor.get().interval();
        bounds.merge(interval, seen.get().age(), Publishing::later);
        put(EntryKey.member(id), new Content.OfMember(seen.get().withAge(Duration.ZERO), interval));
    }

    /** Returns how old an observation may be when it is published. */
    static Duration goodFor(HealthMonitor monitor) {
        Duration fresh = Verdicts.freshFor(monitor);
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

    /** Returns the keys that only one of the maps has, or whose values differ. */
    private static <V> SortedSet<Integer> differing(SortedMap<Integer, V> one, SortedMap<Integer, V> other) {
        SortedSet<Integer> found = new TreeSet<>();
        Iterator<Map.Entry<Integer, V>> right = other.entrySet().iterator();
        Map.Entry<Integer, V> next = right.hasNext() ? right.next() : null;
        for (Map.Entry<Integer, V> left : one.entrySet()) {
            while (next != null && next.getKey() < left.getKey()) {
                found.add(next.getKey());
                next = right.hasNext() ? right.next() : null;
            }
            if (next != null && next.getKey().equals(left.getKey())) {
                if (!Objects.equals(next.getValue(), left.getValue())) {
                    found.add(left.getKey());
                }
                next = right.hasNext() ? right.next() : null;
            } else {
                found.add(left.getKey());
            }
        }
        while (next != null) {
            found.add(next.getKey());
            next = right.hasNext() ? right.next() : null;
        }
        return found;
    }
}
