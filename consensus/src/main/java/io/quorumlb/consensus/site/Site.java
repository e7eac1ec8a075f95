package io.quorumlb.consensus.site;

import io.quorumlb.consensus.machine.Command.CreateListener;
import io.quorumlb.consensus.machine.Command.CreateMember;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Objects as somebody wants them, without ids: what refers to another object names it. What a pool's operators ask for in
 * passing is no part of it: overrides of guards and ceilings of members.
 *
 * @param segments by name
 * @param pools by name
 * @param members by pool and name
 * @param listeners by name
 * @param loadBalancers by name
 */
public record Site(
        List<Segment> segments,
        List<Pool> pools,
        List<CreateMember> members,
        List<CreateListener> listeners,
        List<LoadBalancer> loadBalancers) {
    /**
     * Sorts the objects and takes ids and what is in passing away.
     *
     * @throws IllegalArgumentException naming an object that is there twice
     */
    public Site {
        segments = byName("segments", segments, Segment::name, Site::lasting);
        pools = byName("pools", pools, Pool::name, Site::lasting);
        members = byName("members", members, Site::name, Site::lasting);
        listeners = byName("listeners", listeners, Site::name, Site::lasting);
        loadBalancers = byName("load_balancers", loadBalancers, LoadBalancer::name, Site::lasting);
    }

    /** Makes a site all of whose listeners stand alone. */
    public Site(List<Segment> segments, List<Pool> pools, List<CreateMember> members, List<CreateListener> listeners) {
        this(segments, pools, members, listeners, List.of());
    }

    /** Returns all configured objects but the retired members. */
    public static Site of(Model model) {
        return new Site(
                List.copyOf(model.segments().values()),
                List.copyOf(model.pools().values()),
                model.members().values().stream()
                        .filter(member -> !member.retired())
                        .map(member -> new CreateMember(
                                name(model.pools(), member.poolId(), Pool::name),
                                name(model.segments(), member.segmentId(), Segment::name),
                                member))
                        .toList(),
                model.listeners().values().stream()
                        .map(listener ->
                                new CreateListener(name(model.pools(), listener.poolId(), Pool::name), listener))
                        .toList(),
                List.copyOf(model.loadBalancers().values()));
    }

    private static <T> String name(SortedMap<Integer, T> objects, int id, Function<T, String> name) {
        return Optional.ofNullable(objects.get(id)).map(name).orElse("");
    }

    private static <T> List<T> byName(String kind, List<T> objects, Function<T, String> name, Function<T, T> lasting) {
        SortedMap<String, T> sorted = new TreeMap<>(Comparator.naturalOrder());
        for (T object : objects) {
            if (sorted.putIfAbsent(name.apply(object), lasting.apply(object)) != null) {
                throw new IllegalArgumentException(
                        "site.%s: '%s' is there twice, once expected".formatted(kind, name.apply(object)));
            }
        }
        return List.copyOf(sorted.values());
    }

    /** Returns the name that tells a member from all others. */
    static String name(CreateMember wanted) {
        return wanted.pool() + "/" + wanted.member().name();
    }

    static String name(CreateListener wanted) {
        return wanted.listener().name();
    }

    private static Segment lasting(Segment segment) {
        return segment.withId(0).withMeta(segment.meta().at(0));
    }

    private static LoadBalancer lasting(LoadBalancer owner) {
        return owner.withId(0).withMeta(owner.meta().at(0));
    }

    private static Pool lasting(Pool pool) {
        return new Pool(
                0,
                pool.name(),
                pool.algorithm(),
                pool.slots(),
                pool.monitor(),
                pool.guards(),
                Optional.empty(),
                pool.minEligible(),
                pool.meta().at(0));
    }

    private static CreateMember lasting(CreateMember wanted) {
        Member member = wanted.member();
        return new CreateMember(
                wanted.pool(),
                wanted.segment(),
                member.placed(0, 0, 0).withMeta(member.meta().at(0)));
    }

    private static CreateListener lasting(CreateListener wanted) {
        Listener listener = wanted.listener();
        return new CreateListener(
                wanted.pool(), listener.placed(0, 0).withMeta(listener.meta().at(0)));
    }
}
