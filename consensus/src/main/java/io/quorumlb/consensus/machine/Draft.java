package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.ClusterState.LastIds;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.MemberKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A configuration while edits are made: found by name and changed in place, so that many edits cost no more each than one.
 * It notes what has to fit together again; {@link Checks} looks at that when all edits are made. Lives within one call.
 */
final class Draft {
    private final ClusterState before;
    private IdMap<Segment> segments;
    private IdMap<Pool> pools;
    private IdMap<Member> members;
    private IdMap<Listener> listeners;
    private IdMap<LoadBalancer> loadBalancers;
    private final SortedMap<String, Integer> segmentIds;
    private final SortedMap<String, Integer> poolIds;
    private final SortedMap<String, Integer> listenerIds;
    private final SortedMap<String, Integer> loadBalancerIds;
    /** By pool, of those pools that an edit was about: to sort all members for each edit costs more than the edit. */
    private final SortedMap<Integer, Names> names = new TreeMap<>();

    private LastIds ids;
    /** Nothing is made before somebody says what it is about. */
    private Subject subject = new Subject(ObjectKind.SEGMENT, "");

    private final Touched touched = new Touched();

    /** How the members of a pool are found: present ones by their names, retired ones by their keys. */
    private static final class Names {
        final SortedMap<String, Integer> present = new TreeMap<>();
        final SortedMap<MemberKey, Integer> retired = new TreeMap<>();
    }

    /** What the edits have made, by id, with the object that each of them was about. */
    static final class Touched {
        final SortedMap<Integer, Subject> segments = new TreeMap<>();
        final SortedMap<Integer, Subject> members = new TreeMap<>();
        final SortedMap<Integer, Subject> listeners = new TreeMap<>();
        final SortedMap<Integer, Subject> loadBalancers = new TreeMap<>();
        /** Members with another MAC address. */
        final SortedMap<Integer, Subject> macs = new TreeMap<>();
        /** Pools whose table is another. */
        final SortedMap<Integer, Subject> tables = new TreeMap<>();
        /** Pools of which a member retired. */
        final SortedMap<Integer, Subject> retiring = new TreeMap<>();

        final SortedMap<Integer, Segment> segmentsGone = new TreeMap<>();
        final SortedMap<Integer, Pool> poolsGone = new TreeMap<>();
        final SortedMap<Integer, LoadBalancer> loadBalancersGone = new TreeMap<>();
    }

    Draft(ClusterState before) {
        this.before = before;
        Model model = before.model();
        segments = model.segments();
        pools = model.pools();
        members = model.members();
        listeners = model.listeners();
        loadBalancers = model.loadBalancers();
        ids = before.lastIds();
        segmentIds = new TreeMap<>(model.ids(ObjectKind.SEGMENT));
        poolIds = new TreeMap<>(model.ids(ObjectKind.POOL));
        listenerIds = new TreeMap<>(model.ids(ObjectKind.LISTENER));
        loadBalancerIds = new TreeMap<>(model.ids(ObjectKind.LOAD_BALANCER));
    }

    /** Must be asked before the first member of the pool is changed. */
    private Names names(int poolId) {
        Names known = names.get(poolId);
        if (known == null) {
            known = new Names();
            names.put(poolId, known);
            before.model().membersOf(poolId).forEach(this::index);
        }
        return known;
    }

    private void index(Member member) {
        Names known = names(member.poolId());
        if (member.retired()) {
            known.retired.put(member.key(), member.id());
        } else {
            known.present.put(member.name(), member.id());
        }
    }

    /** Says what the edits that follow are about. */
    void about(Subject object) {
        subject = object;
    }

    ClusterState before() {
        return before;
    }

    Touched touched() {
        return touched;
    }

    LastIds ids() {
        return ids;
    }

    Optional<Segment> segment(String name) {
        return Optional.ofNullable(segmentIds.get(name)).map(segments::get);
    }

    Optional<Pool> pool(String name) {
        return Optional.ofNullable(poolIds.get(name)).map(pools::get);
    }

    Optional<Listener> listener(String name) {
        return Optional.ofNullable(listenerIds.get(name)).map(listeners::get);
    }

    Optional<LoadBalancer> loadBalancer(String name) {
        return Optional.ofNullable(loadBalancerIds.get(name)).map(loadBalancers::get);
    }

    /** Returns the member with the name; a retired one has none. */
    Optional<Member> member(int poolId, String name) {
        return Optional.ofNullable(names(poolId).present.get(name)).map(members::get);
    }

    /** Returns how many members of a pool are not retired. */
    int present(int poolId) {
        return names(poolId).present.size();
    }

    /** Adds a segment under the next id, and returns that. */
    int add(Segment segment) {
        int id = ids.segment() + 1;
        ids = new LastIds(id, ids.pool(), ids.member(), ids.listener(), ids.loadBalancer());
        segmentIds.put(segment.name(), id);
        segments = segments.with(id, segment.withId(id));
        touched.segments.put(id, subject);
        return id;
    }

    /** Adds a pool under the next id, and returns that. */
    int add(Pool pool) {
        int id = ids.pool() + 1;
        ids = new LastIds(ids.segment(), id, ids.member(), ids.listener(), ids.loadBalancer());
        poolIds.put(pool.name(), id);
        pools = pools.with(id, pool.withId(id));
        return id;
    }

    /** Adds a member of a pool and a segment under the next id, and returns that; it takes the place of a retired one. */
    int add(Member member, int poolId, int segmentId) {
        int id = ids.member() + 1;
        ids = new LastIds(ids.segment(), ids.pool(), id, ids.listener(), ids.loadBalancer());
        Optional.ofNullable(names(poolId).retired.get(member.key()))
                .map(members::get)
                .ifPresent(this::remove);
        Member placed = member.placed(id, poolId, segmentId);
        members = members.with(id, placed);
        index(placed);
        touched.members.put(id, subject);
        touched.macs.put(id, subject);
        touched.tables.put(poolId, subject);
        return id;
    }

    /** Adds a listener of a pool under the next id, and returns that. */
    int add(Listener listener, int poolId) {
        int id = ids.listener() + 1;
        ids = new LastIds(ids.segment(), ids.pool(), ids.member(), id, ids.loadBalancer());
        listenerIds.put(listener.name(), id);
        put(listener.placed(id, poolId));
        return id;
    }

    /** Adds a load balancer under the next id, and returns that. */
    int add(LoadBalancer owner) {
        int id = ids.loadBalancer() + 1;
        ids = new LastIds(ids.segment(), ids.pool(), ids.member(), ids.listener(), id);
        loadBalancerIds.put(owner.name(), id);
        loadBalancers = loadBalancers.with(id, owner.withId(id));
        touched.loadBalancers.put(id, subject);
        return id;
    }

    /** Replaces a load balancer of the same id, name and VIPs. */
    void put(LoadBalancer owner) {
        loadBalancers = loadBalancers.with(owner.id(), owner);
    }

    /** Replaces a segment of the same id, name and networks. */
    void put(Segment segment) {
        segments = segments.with(segment.id(), segment);
    }

    /** Replaces a pool of the same id, name and table. */
    void put(Pool pool) {
        pools = pools.with(pool.id(), pool);
    }

    /** Replaces a listener of the same id and name. */
    void put(Listener listener) {
        listeners = listeners.with(listener.id(), listener);
        touched.listeners.put(listener.id(), subject);
    }

    /** Replaces a member by one with another administrative state or weight. */
    void putWeighed(Member member) {
        members = members.with(member.id(), member);
        touched.tables.put(member.poolId(), subject);
    }

    /** Replaces a member by one with another ceiling. */
    void putRamping(Member member) {
        members = members.with(member.id(), member);
    }

    /** Replaces a member by one with another MAC address. */
    void putPinned(Member member) {
        members = members.with(member.id(), member);
        touched.macs.put(member.id(), subject);
    }

    /** Replaces a member by one with other labels. */
    void putLabelled(Member member) {
        members = members.with(member.id(), member);
    }

    /** Replaces a listener by one with other labels. */
    void putLabelled(Listener listener) {
        listeners = listeners.with(listener.id(), listener);
    }

    /** Keeps a member in the base only. */
    void retire(Member member) {
        remove(member);
        Member retired = member.withAdmin(AdminState.RETIRED);
        members = members.with(retired.id(), retired);
        index(retired);
        touched.retiring.put(member.poolId(), subject);
    }

    /** Removes a member from the base as well. */
    void remove(Member member) {
        Names known = names(member.poolId());
        members = members.without(member.id());
        touched.members.remove(member.id());
        touched.macs.remove(member.id());
        if (member.retired()) {
            known.retired.remove(member.key());
        } else {
            known.present.remove(member.name());
        }
    }

    /** Removes the retired members of a pool. */
    void removeRetired(int poolId) {
        List.copyOf(names(poolId).retired.values()).stream().map(members::get).forEach(this::remove);
    }

    void remove(Listener listener) {
        listeners = listeners.without(listener.id());
        listenerIds.remove(listener.name());
        touched.listeners.remove(listener.id());
    }

    void remove(LoadBalancer owner) {
        loadBalancers = loadBalancers.without(owner.id());
        loadBalancerIds.remove(owner.name());
        touched.loadBalancers.remove(owner.id());
        touched.loadBalancersGone.put(owner.id(), owner);
    }

    void remove(Segment segment) {
        segments = segments.without(segment.id());
        segmentIds.remove(segment.name());
        touched.segments.remove(segment.id());
        touched.segmentsGone.put(segment.id(), segment);
    }

    void remove(Pool pool) {
        pools = pools.without(pool.id());
        poolIds.remove(pool.name());
        removeRetired(pool.id());
        touched.poolsGone.put(pool.id(), pool);
    }

    /** Returns the configuration as it is now. */
    Model model() {
        touched.retiring.keySet().forEach(this::yieldPlaces);
        return before.model().next(segments, pools, members, listeners, loadBalancers);
    }

    /** A place in a base is one member's: a retired one leaves it to a present one of the same key. */
    private void yieldPlaces(int poolId) {
        SortedSet<MemberKey> taken = new TreeSet<>();
        names(poolId)
                .present
                .values()
                .forEach(id -> Optional.ofNullable(members.get(id)).ifPresent(member -> taken.add(member.key())));
        List<Member> leaving = new ArrayList<>();
        names(poolId).retired.forEach((key, id) -> {
            if (taken.contains(key)) {
                Optional.ofNullable(members.get(id)).ifPresent(leaving::add);
            }
        });
        leaving.forEach(this::remove);
    }
}
