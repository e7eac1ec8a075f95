package io.quorumlb.consensus.model;

import io.quorumlb.maglev.IpAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All configured objects, each kind by id. A value: equal if all objects are. No record, because what is asked for all the
 * time, the members of a pool, is found once for each model and not among all members each time.
 */
public final class Model {
    private final IdMap<Segment> segments;
    private final IdMap<Pool> pools;
    private final IdMap<Member> members;
    private final IdMap<Listener> listeners;
    private final IdMap<LoadBalancer> loadBalancers;
    private final IdMap<List<Member>> membersByPool;
    private final Names names;

    /** Ids by name, of all kinds whose names are unique. */
    private record Names(
            SortedMap<String, Integer> segments,
            SortedMap<String, Integer> pools,
            SortedMap<String, Integer> listeners,
            SortedMap<String, Integer> loadBalancers) {
        static final Names NONE = new Names(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    /** Makes a model of objects, each kind by id. */
    public Model(
            SortedMap<Integer, Segment> segments,
            SortedMap<Integer, Pool> pools,
            SortedMap<Integer, Member> members,
            SortedMap<Integer, Listener> listeners,
            SortedMap<Integer, LoadBalancer> loadBalancers) {
        this(
                IdMap.of(segments),
                IdMap.of(pools),
                IdMap.of(members),
                IdMap.of(listeners),
                IdMap.of(loadBalancers),
                byPool(IdMap.empty(), IdMap.empty(), IdMap.of(members)),
                new Names(
                        names(Names.NONE.segments(), IdMap.empty(), IdMap.of(segments)),
                        names(Names.NONE.pools(), IdMap.empty(), IdMap.of(pools)),
                        names(Names.NONE.listeners(), IdMap.empty(), IdMap.of(listeners)),
                        names(Names.NONE.loadBalancers(), IdMap.empty(), IdMap.of(loadBalancers))));
    }

    private Model(
            IdMap<Segment> segments,
            IdMap<Pool> pools,
            IdMap<Member> members,
            IdMap<Listener> listeners,
            IdMap<LoadBalancer> loadBalancers,
            IdMap<List<Member>> membersByPool,
            Names names) {
        this.segments = segments;
        this.pools = pools;
        this.members = members;
        this.listeners = listeners;
        this.loadBalancers = loadBalancers;
        this.membersByPool = membersByPool;
        this.names = names;
    }

    /** Sorts names anew if an object has come or gone or has another one. */
    private static <T extends Configured> SortedMap<String, Integer> names(
            SortedMap<String, Integer> known, IdMap<T> before, IdMap<T> now) {
        SortedMap<String, Integer> next = new TreeMap<>();
        boolean same = true;
        for (int id : now.changedSince(before)) {
            Optional<String> old = Optional.ofNullable(before.get(id)).map(Configured::name);
            Optional<String> name = Optional.ofNullable(now.get(id)).map(Configured::name);
            if (!old.equals(name)) {
                if (same) {
                    next.putAll(known);
                    same = false;
                }
                old.ifPresent(gone -> next.remove(gone, id));
                name.ifPresent(come -> next.put(come, id));
            }
        }
        return same ? known : Collections.unmodifiableSortedMap(next);
    }

    /** Returns the ids of the objects of a kind by name; of members none, their names are unique in their pools only. */
    public SortedMap<String, Integer> ids(ObjectKind kind) {
        return switch (kind) {
            case SEGMENT -> names.segments();
            case POOL -> names.pools();
            case LISTENER -> names.listeners();
            case LOAD_BALANCER -> names.loadBalancers();
            case MEMBER -> Collections.emptySortedMap();
        };
    }

    /** Sorts anew the members of those pools whose members are others than before. */
    private static IdMap<List<Member>> byPool(IdMap<List<Member>> known, IdMap<Member> before, IdMap<Member> now) {
        SortedMap<Integer, SortedMap<Integer, Member>> changed = new TreeMap<>();
        for (int id : now.changedSince(before)) {
            Optional.ofNullable(before.get(id))
                    .ifPresent(member -> of(member.poolId(), known, changed).remove(id));
            Optional.ofNullable(now.get(id))
                    .ifPresent(member -> of(member.poolId(), known, changed).put(id, member));
        }
        IdMap<List<Member>> sorted = known;
        for (var pool : changed.entrySet()) {
            sorted = pool.getValue().isEmpty()
                    ? sorted.without(pool.getKey())
                    : sorted.with(pool.getKey(), List.copyOf(pool.getValue().values()));
        }
        return sorted;
    }

    private static SortedMap<Integer, Member> of(
            int poolId, IdMap<List<Member>> known, SortedMap<Integer, SortedMap<Integer, Member>> changed) {
        return changed.computeIfAbsent(poolId, id -> {
            SortedMap<Integer, Member> members = new TreeMap<>();
            known.getOrDefault(id, List.of()).forEach(member -> members.put(member.id(), member));
            return members;
        });
    }

    /** Returns a model of other objects; what it shares with this one costs nothing. */
    public Model next(
            IdMap<Segment> otherSegments,
            IdMap<Pool> otherPools,
            IdMap<Member> otherMembers,
            IdMap<Listener> otherListeners,
            IdMap<LoadBalancer> otherOwners) {
        return new Model(
                otherSegments,
                otherPools,
                otherMembers,
                otherListeners,
                otherOwners,
                byPool(membersByPool, members, otherMembers),
                new Names(
                        names(names.segments(), segments, otherSegments),
                        names(names.pools(), pools, otherPools),
                        names(names.listeners(), listeners, otherListeners),
                        names(names.loadBalancers(), loadBalancers, otherOwners)));
    }

    /** Makes a model all of whose listeners stand alone. */
    public Model(
            SortedMap<Integer, Segment> segments,
            SortedMap<Integer, Pool> pools,
            SortedMap<Integer, Member> members,
            SortedMap<Integer, Listener> listeners) {
        this(segments, pools, members, listeners, new TreeMap<>());
    }

    /** Returns a model without objects. */
    public static Model empty() {
        return new Model(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    /** Returns the segments by id. */
    public IdMap<Segment> segments() {
        return segments;
    }

    /** Returns the pools by id. */
    public IdMap<Pool> pools() {
        return pools;
    }

    /** Returns the members by id, retired ones among them. */
    public IdMap<Member> members() {
        return members;
    }

    /** Returns the listeners by id. */
    public IdMap<Listener> listeners() {
        return listeners;
    }

    /** Returns the load balancers by id. */
    public IdMap<LoadBalancer> loadBalancers() {
        return loadBalancers;
    }

    /** Returns the members of a pool by id, without the retired. */
    public List<Member> presentMembersOf(int poolId) {
        return membersOf(poolId).stream().filter(member -> !member.retired()).toList();
    }

    /** Returns all members of a pool by id, retired ones among them: what its table is built from. */
    public List<Member> membersOf(int poolId) {
        return membersByPool.getOrDefault(poolId, List.of());
    }

    /** Returns the listeners that a pool serves, by id. */
    public List<Listener> listenersOf(int poolId) {
        return listeners.values().stream()
                .filter(listener -> listener.poolId() == poolId)
                .toList();
    }

    /**
     * Returns the listeners whose packets the members of a pool may get, by id: those that it serves, and those that fall
     * back to it.
     */
    public List<Listener> listenersReaching(int poolId) {
        return listeners.values().stream()
                .filter(listener -> listener.poolId() == poolId || fallsBackTo(listener, poolId))
                .toList();
    }

    private boolean fallsBackTo(Listener listener, int poolId) {
        return fallbackOf(listener).filter(pool -> pool.id() == poolId).isPresent();
    }

    /** Returns the pool that a listener falls back to. */
    public Optional<Pool> fallbackOf(Listener listener) {
        return listener.fallback().flatMap(this::pool);
    }

    /** Returns the segment with the name. */
    public Optional<Segment> segment(String name) {
        return Optional.ofNullable(names.segments().get(name)).map(segments::get);
    }

    /** Returns the pool with the name. */
    public Optional<Pool> pool(String name) {
        return Optional.ofNullable(names.pools().get(name)).map(pools::get);
    }

    /** Returns the member with the name in the pool; a retired one has none. */
    public Optional<Member> member(int poolId, String name) {
        return first(
                membersOf(poolId), member -> !member.retired() && member.name().equals(name));
    }

    /** Returns the listener with the name. */
    public Optional<Listener> listener(String name) {
        return Optional.ofNullable(names.listeners().get(name)).map(listeners::get);
    }

    /** Returns the load balancer with the name. */
    public Optional<LoadBalancer> loadBalancer(String name) {
        return Optional.ofNullable(names.loadBalancers().get(name)).map(loadBalancers::get);
    }

    /** Returns the VIPs that no node may announce, because their load balancers are disabled. */
    public SortedSet<IpAddress> disabledVips() {
        SortedSet<IpAddress> vips = new TreeSet<>();
        loadBalancers.values().stream()
                .filter(owner -> owner.service() == LoadBalancer.Service.DISABLED)
                .forEach(owner -> vips.addAll(owner.vips()));
        return vips;
    }

    /**
     * Returns an object by its name.
     *
     * @param name of a member with its pool's: {@code web/be1}; a retired one has none
     */
    public Optional<Configured> object(ObjectKind kind, String name) {
        return switch (kind) {
            case SEGMENT -> segment(name).map(Configured.class::cast);
            case POOL -> pool(name).map(Configured.class::cast);
            case MEMBER -> {
                String[] path = name.split("/", 2);
                yield path.length < 2 ? Optional.empty() : pool(path[0]).flatMap(pool -> member(pool.id(), path[1]));
            }
            case LISTENER -> listener(name).map(Configured.class::cast);
            case LOAD_BALANCER -> loadBalancer(name).map(Configured.class::cast);
        };
    }

    /**
     * Returns this model with every object that another one has not, or has otherwise, marked as changed last by a revision.
     *
     * @param before the other one
     * @param revision of this one
     */
    public Model stamped(Model before, long revision) {
        return next(
                stamped(
                        before.segments,
                        segments,
                        segment -> segment.withMeta(segment.meta().at(revision))),
                stamped(before.pools, pools, pool -> pool.withMeta(pool.meta().at(revision))),
                stamped(
                        before.members,
                        members,
                        member -> member.withMeta(member.meta().at(revision))),
                stamped(
                        before.listeners,
                        listeners,
                        listener -> listener.withMeta(listener.meta().at(revision))),
                stamped(
                        before.loadBalancers,
                        loadBalancers,
                        owner -> owner.withMeta(owner.meta().at(revision))));
    }

    private static <T> IdMap<T> stamped(IdMap<T> before, IdMap<T> now, UnaryOperator<T> stamp) {
        IdMap<T> next = now;
        for (int id : now.changedSince(before)) {
            T object = now.get(id);
            if (object != null) {
                next = next.with(id, stamp.apply(object));
            }
        }
        return next;
    }

    /** Returns this model with the segment added or replaced. */
    public Model with(Segment segment) {
        return next(segments.with(segment.id(), segment), pools, members, listeners, loadBalancers);
    }

    /** Returns this model with the pool added or replaced. */
    public Model with(Pool pool) {
        return next(segments, pools.with(pool.id(), pool), members, listeners, loadBalancers);
    }

    /** Returns this model with the member added or replaced. */
    public Model with(Member member) {
        return next(segments, pools, members.with(member.id(), member), listeners, loadBalancers);
    }

    /** Returns this model with the listener added or replaced. */
    public Model with(Listener listener) {
        return next(segments, pools, members, listeners.with(listener.id(), listener), loadBalancers);
    }

    /** Returns this model without the segment. */
    public Model withoutSegment(int id) {
        return next(segments.without(id), pools, members, listeners, loadBalancers);
    }

    /** Returns this model without the pool. */
    public Model withoutPool(int id) {
        return next(segments, pools.without(id), members, listeners, loadBalancers);
    }

    /** Returns this model without the member. */
    public Model withoutMember(int id) {
        return next(segments, pools, members.without(id), listeners, loadBalancers);
    }

    /** Returns this model without the listener. */
    public Model withoutListener(int id) {
        return next(segments, pools, members, listeners.without(id), loadBalancers);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Model model
                        && segments.equals(model.segments)
                        && pools.equals(model.pools)
                        && members.equals(model.members)
                        && listeners.equals(model.listeners)
                        && loadBalancers.equals(model.loadBalancers));
    }

    @Override
    public int hashCode() {
        return Objects.hash(segments, pools, members, listeners, loadBalancers);
    }

    @Override
    public String toString() {
        return "Model[segments=%s, pools=%s, members=%s, listeners=%s, loadBalancers=%s]"
                .formatted(segments, pools, members, listeners, loadBalancers);
    }

    private static <T> Optional<T> first(Collection<T> objects, Predicate<T> wanted) {
        return objects.stream().filter(wanted).findFirst();
    }
}
