package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.SlotFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything that the cluster has committed.
 *
 * @param revision number of configuration changes so far
 * @param model configured objects
 * @param lastIds the last id given per kind; ids are never given twice
 * @param history the latest generations per pool, oldest first, at most {@link #HISTORY_MAX}
 * @param outOfService nodes that must not be sent traffic, and why
 * @param movedGateways who answers for the gateways that are away from home; those not named are at home
 * @param emptySince pools that count as empty, with the generation that left them without a member
 * @param slotFunction by which of the switch's hashes TCP connections get their slots
 * @param requests writes of the last minutes, and what became of them
 * @param timers what is to become of members by the log's time
 */
public record ClusterState(
        long revision,
        Model model,
        LastIds lastIds,
        IdMap<List<PoolGeneration>> history,
        SortedMap<NodeId, String> outOfService,
        SortedMap<GatewayId, NodeId> movedGateways,
        IdMap<Long> emptySince,
        SlotFunction slotFunction,
        Requests requests,
        Timers timers) {
    /** Generations kept per pool. */
    public static final int HISTORY_MAX = 64;

    /**
     * Last ids given.
     *
     * @param segment last segment id
     * @param pool last pool id
     * @param member last member id
     * @param listener last listener id
     * @param loadBalancer last load balancer id
     */
    public record LastIds(int segment, int pool, int member, int listener, int loadBalancer) {
        /** Makes the ids of a cluster that never had a load balancer. */
        public LastIds(int segment, int pool, int member, int listener) {
            this(segment, pool, member, listener, 0);
        }
    }

    /** Copies the small maps. */
    public ClusterState {
        outOfService = Collections.unmodifiableSortedMap(new TreeMap<>(outOfService));
        movedGateways = Collections.unmodifiableSortedMap(new TreeMap<>(movedGateways));
    }

    /** Returns the state of a new cluster. */
    public static ClusterState empty() {
        return new ClusterState(
                0,
                Model.empty(),
                new LastIds(0, 0, 0, 0),
                IdMap.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                IdMap.empty(),
                SlotFunction.MULTIPATH,
                Requests.none(),
                Timers.none());
    }

    /** Returns the current generation of a pool; empty before its first. */
    public Optional<PoolGeneration> generation(int poolId) {
        List<PoolGeneration> generations = history.getOrDefault(poolId, List.of());
        return generations.isEmpty() ? Optional.empty() : Optional.of(generations.getLast());
    }

    /** Returns the number of a pool's current generation, 0 before its first. */
    public long generationNumber(int poolId) {
        return generation(poolId).map(PoolGeneration::number).orElse(0L);
    }

    ClusterState configured(Model next, LastIds ids) {
        IdMap<List<PoolGeneration>> kept = history;
        for (int pool : next.pools().changedSince(model.pools())) {
            kept = next.pools().containsKey(pool) ? kept : kept.without(pool);
        }
        var changed = new ClusterState(
                revision + 1,
                next.stamped(model, revision + 1),
                ids,
                kept,
                outOfService,
                Gateways.kept(movedGateways, next.segments()),
                emptySince,
                slotFunction,
                requests,
                timers.after(model, next));
        return changed.with(EmptyPools.of(this, changed));
    }

    ClusterState committed(PoolGeneration generation) {
        List<PoolGeneration> generations = new ArrayList<>(history.getOrDefault(generation.poolId(), List.of()));
        generations.add(generation);
        if (generations.size() > HISTORY_MAX) {
            generations.removeFirst();
        }
        var changed = new ClusterState(
                revision,
                model,
                lastIds,
                history.with(generation.poolId(), List.copyOf(generations)),
                outOfService,
                movedGateways,
                emptySince,
                slotFunction,
                requests,
                timers);
        return changed.with(EmptyPools.of(changed, generation.poolId()));
    }

    private ClusterState with(IdMap<Long> empty) {
        return empty.equals(emptySince)
                ? this
                : new ClusterState(
                        revision,
                        model,
                        lastIds,
                        history,
                        outOfService,
                        movedGateways,
                        empty,
                        slotFunction,
                        requests,
                        timers);
    }

    /**
     * Returns true if a pool counts as empty: a generation left it without a member that takes traffic, and none since has
     * given it back as many as it asks for.
     */
    public boolean empty(int poolId) {
        return emptySince.containsKey(poolId);
    }

    /** Returns this state with other timers and the next revision. */
    ClusterState timed(Timers other) {
        ClusterState next = new ClusterState(
                revision + 1,
                model,
                lastIds,
                history,
                outOfService,
                movedGateways,
                emptySince,
                slotFunction,
                requests,
                other);
        return next.with(EmptyPools.of(this, next));
    }

    ClusterState with(Timers other) {
        var changed = new ClusterState(
                revision,
                model,
                lastIds,
                history,
                outOfService,
                movedGateways,
                emptySince,
                slotFunction,
                requests,
                other);
        return changed.with(EmptyPools.of(this, changed));
    }

    /** Returns an operator's word on a member's health, while it lasts. */
    public Optional<Health> held(int memberId) {
        return timers.of(memberId).hold().map(MemberTimers.Hold::health);
    }

    /** Returns true if a member takes traffic when it is healthy: it is enabled, has a weight and is not held down. */
    public boolean wants(Member member) {
        return member.wanted() && !held(member.id()).equals(Optional.of(Health.DOWN));
    }

    /**
     * Returns the ids of pools of which anything is not what it was: they themselves, their members and what is to become of
     * those by time, their listeners, their generations, whether they are empty. Pools that are gone are among them.
     */
    public SortedSet<Integer> poolsChangedSince(ClusterState before) {
        SortedSet<Integer> pools = new TreeSet<>(model.pools().changedSince(before.model.pools()));
        pools.addAll(history.changedSince(before.history));
        pools.addAll(emptySince.changedSince(before.emptySince));
        SortedSet<Integer> members = new TreeSet<>(model.members().changedSince(before.model.members()));
        if (!timers.equals(before.timers)) {
            members.addAll(before.timers.members().keySet());
            members.addAll(timers.members().keySet());
        }
        SortedSet<Integer> listeners = model.listeners().changedSince(before.model.listeners());
        for (Model one : List.of(before.model, model)) {
            members.forEach(id -> Optional.ofNullable(one.members().get(id))
                    .map(Member::poolId)
                    .ifPresent(pools::add));
            listeners.forEach(id -> Optional.ofNullable(one.listeners().get(id))
                    .map(Listener::poolId)
                    .ifPresent(pools::add));
        }
        return pools;
    }

    /** Returns true if the node may be sent traffic. */
    public boolean inService(NodeId node) {
        return !outOfService.containsKey(node);
    }

    ClusterState withOutOfService(SortedMap<NodeId, String> nodes) {
        return new ClusterState(
                revision, model, lastIds, history, nodes, movedGateways, emptySince, slotFunction, requests, timers);
    }

    ClusterState with(SlotFunction function) {
        return new ClusterState(
                revision, model, lastIds, history, outOfService, movedGateways, emptySince, function, requests, timers);
    }

    ClusterState with(Requests remembered) {
        return new ClusterState(
                revision,
                model,
                lastIds,
                history,
                outOfService,
                movedGateways,
                emptySince,
                slotFunction,
                remembered,
                timers);
    }

    ClusterState withMovedGateways(SortedMap<GatewayId, NodeId> moved) {
        return new ClusterState(
                revision, model, lastIds, history, outOfService, moved, emptySince, slotFunction, requests, timers);
    }

    /** Returns the gateways of all segments, at home or away. */
    public SortedSet<GatewayId> gateways() {
        SortedSet<GatewayId> all = new TreeSet<>();
        model.segments()
                .values()
                .forEach(segment -> segment.homes().forEach(home -> all.add(new GatewayId(segment.id(), home))));
        return all;
    }

    /** Returns the node that answers for a gateway. */
    public NodeId ownerOf(GatewayId gateway) {
        return movedGateways.getOrDefault(gateway, gateway.home());
    }

    /** Returns the addresses of a gateway; none if it does not exist. */
    public SortedSet<IpAddress> addressesOf(GatewayId gateway) {
        return Optional.ofNullable(model.segments().get(gateway.segmentId()))
                .map(segment -> segment.gateways(gateway.home()))
                .orElse(new TreeSet<>());
    }

    /** Returns the gateway addresses in a segment that a node answers for, its own and others'. */
    public SortedSet<IpAddress> gatewaysOf(Segment segment, NodeId owner) {
        SortedSet<IpAddress> addresses = new TreeSet<>();
        segment.homes().stream()
                .filter(home -> ownerOf(new GatewayId(segment.id(), home)).equals(owner))
                .forEach(home -> addresses.addAll(segment.gateways(home)));
        return addresses;
    }
}
