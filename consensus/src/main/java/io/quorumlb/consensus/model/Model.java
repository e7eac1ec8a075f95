package io.quorumlb.consensus.model;

import io.quorumlb.maglev.IpAddress;
import java.util.ArrayList;
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
    private final SortedMap<Integer, Segment> segments;
    private final SortedMap<Integer, Pool> pools;
    private final SortedMap<Integer, Member> members;
    private final SortedMap<Integer, Listener> listeners;
    private final SortedMap<Integer, LoadBalancer> loadBalancers;
    private final SortedMap<Integer, List<Member>> membersByPool;

    /** Copies the maps, each by id. */
    public Model(
            SortedMap<Integer, Segment> segments,
            SortedMap<Integer, Pool> pools,
            SortedMap<Integer, Member> members,
            SortedMap<Integer, Listener> listeners,
            SortedMap<Integer, LoadBalancer> loadBalancers) {
        this(
                new TreeMap<>(segments),
                new TreeMap<>(pools),
                new TreeMap<>(members),
                new TreeMap<>(listeners),
                new TreeMap<>(loadBalancers),
                byPool(members.values()));
    }

    /** Takes the maps: nobody else may know them. */
    private Model(
            SortedMap<Integer, Segment> segments,
            SortedMap<Integer, Pool> pools,
            SortedMap<Integer, Member> members,
            SortedMap<Integer, Listener> listeners,
            SortedMap<Integer, LoadBalancer> loadBalancers,
            SortedMap<Integer, List<Member>> membersByPool) {
        this.segments = Collections.unmodifiableSortedMap(segments);
        this.pools = Collections.unmodifiableSortedMap(pools);
        this.members = Collections.unmodifiableSortedMap(members);
        this.listeners = Collections.unmodifiableSortedMap(listeners);
        this.loadBalancers = Collections.unmodifiableSortedMap(loadBalancers);
        this.membersByPool = membersByPool;
    }

    private static SortedMap<Integer, List<Member>> byPool(Collection<Member> members) {
        SortedMap<Integer, List<Member>> byPool = new TreeMap<>();
        members.forEach(member ->
                byPool.computeIfAbsent(member.poolId(), _ -> new ArrayList<>()).add(member));
        byPool.replaceAll((_, several) -> List.copyOf(several));
        return byPool;
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
    public SortedMap<Integer, Segment> segments() {
        return segments;
    }

    /** Returns the pools by id. */
    public SortedMap<Integer, Pool> pools() {
        return pools;
    }

    /** Returns the members by id, retired ones among them. */
    public SortedMap<Integer, Member> members() {
        return members;
    }

    /** Returns the listeners by id. */
    public SortedMap<Integer, Listener> listeners() {
        return listeners;
    }

    /** Returns the load balancers by id. */
    public SortedMap<Integer, LoadBalancer> loadBalancers() {
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
        return first(segments.values(), segment -> segment.name().equals(name));
    }

    /** Returns the pool with the name. */
    public Optional<Pool> pool(String name) {
        return first(pools.values(), pool -> pool.name().equals(name));
    }

    /** Returns the member with the name in the pool; a retired one has none. */
    public Optional<Member> member(int poolId, String name) {
        return first(
                membersOf(poolId), member -> !member.retired() && member.name().equals(name));
    }

    /** Returns the listener with the name. */
    public Optional<Listener> listener(String name) {
        return first(listeners.values(), listener -> listener.name().equals(name));
    }

    /** Returns the load balancer with the name. */
    public Optional<LoadBalancer> loadBalancer(String name) {
        return first(loadBalancers.values(), owner -> owner.name().equals(name));
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
        SortedMap<Integer, Member> stampedMembers = stamped(
                before.members, members, member -> member.withMeta(member.meta().at(revision)));
        return new Model(
                stamped(
                        before.segments,
                        segments,
                        segment -> segment.withMeta(segment.meta().at(revision))),
                stamped(before.pools, pools, pool -> pool.withMeta(pool.meta().at(revision))),
                stampedMembers,
                stamped(
                        before.listeners,
                        listeners,
                        listener -> listener.withMeta(listener.meta().at(revision))),
                stamped(
                        before.loadBalancers,
                        loadBalancers,
                        owner -> owner.withMeta(owner.meta().at(revision))),
                byPool(stampedMembers.values()));
    }

    private static <T> SortedMap<Integer, T> stamped(
            SortedMap<Integer, T> before, SortedMap<Integer, T> now, UnaryOperator<T> stamp) {
        SortedMap<Integer, T> next = new TreeMap<>(now);
        next.replaceAll((id, object) -> object.equals(before.get(id)) ? object : stamp.apply(object));
        return next;
    }

    /** Returns this model with the segment added or replaced. */
    public Model with(Segment segment) {
        return new Model(put(segments, segment.id(), segment), pools, members, listeners, loadBalancers);
    }

    /** Returns this model with the pool added or replaced. */
    public Model with(Pool pool) {
        return new Model(segments, put(pools, pool.id(), pool), members, listeners, loadBalancers);
    }

    /** Returns this model with the member added or replaced. */
    public Model with(Member member) {
        return new Model(segments, pools, put(members, member.id(), member), listeners, loadBalancers);
    }

    /** Returns this model with the listener added or replaced. */
    public Model with(Listener listener) {
        return new Model(segments, pools, members, put(listeners, listener.id(), listener), loadBalancers);
    }

    /** Returns this model without the segment. */
    public Model withoutSegment(int id) {
        return new Model(drop(segments, id), pools, members, listeners, loadBalancers);
    }

    /** Returns this model without the pool. */
    public Model withoutPool(int id) {
        return new Model(segments, drop(pools, id), members, listeners, loadBalancers);
    }

    /** Returns this model without the member. */
    public Model withoutMember(int id) {
        return new Model(segments, pools, drop(members, id), listeners, loadBalancers);
    }

    /** Returns this model without the listener. */
    public Model withoutListener(int id) {
        return new Model(segments, pools, members, drop(listeners, id), loadBalancers);
    }

    private static <T> SortedMap<Integer, T> put(SortedMap<Integer, T> map, int id, T value) {
        SortedMap<Integer, T> copy = new TreeMap<>(map);
        copy.put(id, value);
        return copy;
    }

    private static <T> SortedMap<Integer, T> drop(SortedMap<Integer, T> map, int id) {
        SortedMap<Integer, T> copy = new TreeMap<>(map);
        copy.remove(id);
        return copy;
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
