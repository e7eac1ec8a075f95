package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Verdicts;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which pools a look is at. Of few members all are looked at each time. Of many: the pools of which something is new since
 * the last look, those that time alone may change, and of the rest some in turn, so that none is left out for long:
 * ten thousand take some ten seconds.
 */
final class Looks {
    /** So many members are looked at each time, whatever has changed. */
    static final int ALL_MAX = 1000;

    /** Of more, so many of those of which nothing is new. */
    private static final int QUIET_MEMBERS = 100;

    /** So often: a look for the sake of one member must not pay for the others as well. */
    private static final Duration QUIET_PERIOD = Duration.ofMillis(100);

    private Looks() {}

    /**
     * What a look was made from.
     *
     * @param cluster what was committed
     * @param leadership who led
     * @param probes this node's own
     * @param held how much was held of each node's record
     * @param fresh of which intervals of probes each node's observations counted
     * @param turnOf the last pool that was looked at in turn
     * @param turnAt when that was
     * @param members how many members were looked at
     */
    record Basis(
            ClusterState cluster,
            Leadership leadership,
            IdMap<MemberProbe> probes,
            SortedMap<NodeId, Stamp> held,
            SortedMap<NodeId, SortedSet<Duration>> fresh,
            int turnOf,
            MonotonicTime turnAt,
            int members) {}

    /**
     * A look.
     *
     * @param pools that it is at
     * @param basis what it is made from
     */
    record Look(List<Pool> pools, Basis basis) {}

    /**
     * Returns the look that is due.
     *
     * @param freed pools of which a proposal has come to its end
     * @param all true if something concerns all pools
     */
    static Look next(Turn turn, SortedSet<Integer> freed, boolean all) {
        Model model = turn.log.cluster().model();
        SortedMap<NodeId, SortedSet<Duration>> fresh = fresh(turn);
        Optional<SortedSet<Integer>> news = all || model.members().size() <= ALL_MAX
                ? Optional.empty()
                : turn.lead.basis().flatMap(last -> news(turn, last, fresh));
        SortedSet<Integer> ids = new TreeSet<>();
        int turnOf = turn.lead.basis().map(Basis::turnOf).orElse(0);
        MonotonicTime turnAt = turn.lead.basis().map(Basis::turnAt).orElse(turn.now);
        if (news.isPresent()) {
            ids.addAll(news.get());
            ids.addAll(freed);
            restless(turn, ids);
            if (turn.now.reached(turnAt.plus(QUIET_PERIOD))) {
                turnOf = inTurn(model, turnOf, ids);
                turnAt = turn.now;
            }
        } else {
            ids.addAll(model.pools().keySet());
        }
        List<Pool> pools =
                ids.stream().map(model.pools()::get).filter(Objects::nonNull).toList();
        int members = pools.stream()
                .mapToInt(pool -> model.membersOf(pool.id()).size())
                .sum();
        return new Look(
                pools,
                new Basis(
                        turn.log.cluster(),
                        turn.log.leadership(),
                        turn.probes,
                        held(turn),
                        fresh,
                        turnOf,
                        turnAt,
                        members));
    }

    /** Returns the pools of which something is known that was not known at the last look; empty if that may be all of them. */
    private static Optional<SortedSet<Integer>> news(
            Turn turn, Basis last, SortedMap<NodeId, SortedSet<Duration>> fresh) {
        if (!last.leadership().equals(turn.log.leadership())) {
            return Optional.empty();
        }
        ClusterState before = last.cluster();
        ClusterState now = turn.log.cluster();
        SortedSet<Integer> pools = now.poolsChangedSince(before);
        SortedSet<Duration> intervals = turned(last.fresh(), fresh);
        if (!intervals.isEmpty()) {
            now.model().pools().forEach((id, pool) -> {
                if (intervals.contains(pool.monitor().interval())) {
                    pools.add(id);
                }
            });
        }
        SortedSet<Integer> members = seenOtherwise(turn, last.probes());
        for (var record : turn.gossip.held().entrySet()) {
            Document content = record.getValue().content();
            Stamp known = last.held().getOrDefault(record.getKey(), Stamp.nothing(record.getKey()));
            if (known.incarnation() != content.incarnation()) {
                return Optional.empty();
            }
            content.entries().after(known.version()).stream()
                    .map(Entry::key)
                    .filter(key -> key.kind() == EntryKey.MEMBER)
                    .forEach(key -> members.add(key.id()));
        }
        members.forEach(id -> Optional.ofNullable(now.model().members().get(id))
                .map(Member::poolId)
                .ifPresent(pools::add));
        return Optional.of(pools);
    }

    /** Returns the members of which this node's own probes say what they did not. Nearly every probe says the same again. */
    private static SortedSet<Integer> seenOtherwise(Turn turn, IdMap<MemberProbe> before) {
        SortedSet<Integer> otherwise = new TreeSet<>();
        for (int id : turn.probes.changedSince(before)) {
            if (!saysTheSame(turn, id, before.get(id), turn.probes.get(id))) {
                otherwise.add(id);
            }
        }
        return otherwise;
    }

    private static boolean saysTheSame(Turn turn, int id, @Nullable MemberProbe before, @Nullable MemberProbe now) {
        if (before == null || now == null || !before.health().equals(now.health())) {
            return false;
        }
        return before.suspicion() == now.suspicion()
                && turn.monitor(id)
                        .map(Verdicts::freshFor)
                        .filter(limit -> before.fresh(turn.now, limit) == now.fresh(turn.now, limit))
                        .isPresent();
    }

    private static SortedMap<NodeId, Stamp> held(Turn turn) {
        SortedMap<NodeId, Stamp> held = new TreeMap<>();
        turn.gossip
                .held()
                .forEach((node, record) -> held.put(node, record.content().stamp(node)));
        return held;
    }

    /** Returns the intervals of those probes of which each node's observations still count, by the bounds on their ages. */
    private static SortedMap<NodeId, SortedSet<Duration>> fresh(Turn turn) {
        SortedMap<NodeId, SortedSet<Duration>> fresh = new TreeMap<>();
        Published own = turn.gossip.own();
        fresh.put(turn.settings.self(), fresh(own.bounds(), turn.now.since(own.boundsAt())));
        turn.gossip
                .held()
                .forEach((node, record) -> record.covering()
                        .ifPresent(heard -> fresh.put(node, fresh(heard.beat().bounds(), heard.age(turn.now)))));
        return fresh;
    }

    /** Returns the intervals at which the observations of some node have begun or ceased to count. */
    private static SortedSet<Duration> turned(
            SortedMap<NodeId, SortedSet<Duration>> before, SortedMap<NodeId, SortedSet<Duration>> now) {
        SortedSet<NodeId> nodes = new TreeSet<>(before.keySet());
        nodes.addAll(now.keySet());
        SortedSet<Duration> turned = new TreeSet<>();
        for (NodeId node : nodes) {
            SortedSet<Duration> old = before.getOrDefault(node, Collections.emptySortedSet());
            SortedSet<Duration> present = now.getOrDefault(node, Collections.emptySortedSet());
            old.stream().filter(interval -> !present.contains(interval)).forEach(turned::add);
            present.stream().filter(interval -> !old.contains(interval)).forEach(turned::add);
        }
        return turned;
    }

    private static SortedSet<Duration> fresh(SortedMap<Duration, Duration> bounds, Duration since) {
        SortedSet<Duration> fresh = new TreeSet<>();
        bounds.forEach((interval, bound) -> {
            if (bound.plus(since).compareTo(Verdicts.freshFor(interval)) <= 0) {
                fresh.add(interval);
            }
        });
        return Collections.unmodifiableSortedSet(fresh);
    }

    /** Adds the pools that may be planned otherwise without news: something of them waits for its time. */
    private static void restless(Turn turn, SortedSet<Integer> ids) {
        boolean leads = turn.log.leadership() instanceof Leadership.Leading;
        turn.lead.pools().forEach((id, track) -> {
            if (track.restless(leads)) {
                ids.add(id);
            }
        });
    }

    /** Adds pools that follow the last one in turn, and returns the last one then. */
    private static int inTurn(Model model, int last, SortedSet<Integer> ids) {
        int members = 0;
        int turnOf = last;
        for (int rounds = 0; rounds < 2 && members < QUIET_MEMBERS; rounds++) {
            for (int id : model.pools().keySet()) {
                if (id > turnOf && members < QUIET_MEMBERS) {
                    members += Math.max(1, model.membersOf(id).size());
                    ids.add(id);
                    turnOf = id;
                }
            }
            // Behind the last one it begins anew.
            turnOf = members < QUIET_MEMBERS ? 0 : turnOf;
        }
        return turnOf;
    }
}
