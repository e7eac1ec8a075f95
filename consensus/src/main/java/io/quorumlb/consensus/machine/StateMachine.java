package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.ClusterState.LastIds;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.SlotTable;
import java.util.List;
import java.util.Optional;

/** Applies commands: every node that applies the same commands in the same order has the same state. */
public final class StateMachine {
    private static final int ID_MAX = 65_535;

    private StateMachine() {}

    /** Returns the state after the command and what became of it; a refused command leaves the state as it was. */
    public static Applied apply(ClusterState state, Command command) {
        return switch (command) {
            case Command.CreateSegment(Segment segment) -> createSegment(state, segment);
            case Command.DeleteSegment(String name) -> deleteSegment(state, name);
            case Command.CreatePool(Pool pool) -> createPool(state, pool);
            case Command.DeletePool(String name) -> deletePool(state, name);
            case Command.CreateMember create -> PoolMembers.create(state, create);
            case Command.DeleteMember(String pool, String member) -> PoolMembers.delete(state, pool, member);
            case Command.SetMemberAdmin(String pool, String member, var admin) ->
                PoolMembers.setAdmin(state, pool, member, admin);
            case Command.SetMemberWeight(String pool, String member, int weight) ->
                PoolMembers.setWeight(state, pool, member, weight);
            case Command.SetMemberMac(String pool, String member, var mac) ->
                PoolMembers.setMac(state, pool, member, mac);
            case Command.SetMemberCeiling(String pool, String member, int ceiling) ->
                PoolMembers.setCeiling(state, pool, member, ceiling);
            case Command.CompactPool(String pool, int movedMax) -> PoolMembers.compact(state, pool, movedMax);
            case Command.CreateListener(String pool, Listener listener) -> Listeners.create(state, pool, listener);
            case Command.SetWhenEmpty(String listener, var policy) -> Listeners.setWhenEmpty(state, listener, policy);
            case Command.DeleteListener(String name) -> Listeners.delete(state, name);
            case Command.SetSlotFunction(var function) ->
                new Applied(state.with(function), new Outcome.Done(0, state.revision()));
            case Command.SetService set -> NodeService.set(state, set);
            case Command.AssignGateways assign -> Gateways.assign(state, assign);
            case Command.CommitGeneration commit -> Generations.commit(state, commit);
            case Command.SetMinEligible(String pool, int minEligible) ->
                Generations.setMinEligible(state, pool, minEligible);
            case Command.SetPoolGuards(String pool, var guards) -> Generations.setGuards(state, pool, guards);
            case Command.Requested write -> RequestedWrites.apply(state, write);
            case Command.OverrideGuards(String pool, var override) -> Generations.override(state, pool, override);
        };
    }

    private static Applied createSegment(ClusterState state, Segment segment) {
        Model model = state.model();
        int id = state.lastIds().segment() + 1;
        if (model.segment(segment.name()).isPresent()) {
            return Reply.exists(state, "segment.name", "segment '%s'".formatted(segment.name()));
        }
        if (id > ID_MAX) {
            return Reply.idsUsedUp(state, "segment");
        }
        Optional<IpPrefix> odd = segment.networks().stream()
                .map(Segment.Network::prefix)
                .filter(prefix -> !prefix.network().routable())
                .findFirst();
        if (odd.isPresent()) {
            return Reply.refused(
                    state,
                    Cause.INVALID,
                    "segment.prefix",
                    "network %s is loopback, link-local, multicast or reserved: a network that routers carry expected"
                            .formatted(odd.get()));
        }
        Optional<Segment> overlap = model.segments().values().stream()
                .filter(other -> overlaps(segment, other))
                .findFirst();
        if (overlap.isPresent()) {
            return Reply.refused(
                    state,
                    Cause.INVALID,
                    "segment.prefix",
                    "network %s overlaps segment '%s' (%s)"
                            .formatted(
                                    segment.prefixes(),
                                    overlap.get().name(),
                                    overlap.get().prefixes()));
        }
        Optional<Listener> inside = model.listeners().values().stream()
                .filter(listener -> segment.contains(listener.vip()))
                .findFirst();
        if (inside.isPresent()) {
            return Reply.refused(
                    state,
                    Cause.INVALID,
                    "segment.prefix",
                    "network %s contains VIP %s of listener '%s': a VIP must be outside every segment"
                            .formatted(
                                    segment.prefixes(),
                                    inside.get().vip(),
                                    inside.get().name()));
        }
        LastIds ids = state.lastIds();
        return Reply.created(
                state, model.with(segment.withId(id)), new LastIds(id, ids.pool(), ids.member(), ids.listener()), id);
    }

    private static boolean overlaps(Segment one, Segment other) {
        return one.networks().stream()
                .anyMatch(network -> other.networks().stream()
                        .anyMatch(another -> network.prefix().overlaps(another.prefix())));
    }

    private static Applied deleteSegment(ClusterState state, String name) {
        Model model = state.model();
        Optional<Segment> segment = model.segment(name);
        if (segment.isEmpty()) {
            return Reply.notFound(state, "segment.name", "segment '%s'".formatted(name));
        }
        int id = segment.get().id();
        Optional<Member> user = model.members().values().stream()
                .filter(member -> member.segmentId() == id)
                .findFirst();
        return user.map(member -> Reply.inUse(
                        state,
                        "segment '%s'".formatted(name),
                        "%smember '%s'".formatted(member.retired() ? "retired " : "", member.name())))
                .orElseGet(() -> Reply.changed(state, model.withoutSegment(id), id));
    }

    private static Applied createPool(ClusterState state, Pool pool) {
        Model model = state.model();
        int id = state.lastIds().pool() + 1;
        if (model.pool(pool.name()).isPresent()) {
            return Reply.exists(state, "pool.name", "pool '%s'".formatted(pool.name()));
        }
        if (id > SlotTable.POOL_ID_MAX) {
            return Reply.idsUsedUp(state, "pool");
        }
        LastIds ids = state.lastIds();
        return Reply.created(
                state, model.with(pool.withId(id)), new LastIds(ids.segment(), id, ids.member(), ids.listener()), id);
    }

    private static Applied deletePool(ClusterState state, String name) {
        Model model = state.model();
        Optional<Pool> pool = model.pool(name);
        if (pool.isEmpty()) {
            return Reply.notFound(state, "pool.name", "pool '%s'".formatted(name));
        }
        int id = pool.get().id();
        String text = "pool '%s'".formatted(name);
        List<Listener> listeners = model.listenersOf(id);
        if (!listeners.isEmpty()) {
            return Reply.inUse(
                    state, text, "listener '%s'".formatted(listeners.getFirst().name()));
        }
        Optional<Listener> falling = model.listenersReaching(id).stream().findFirst();
        if (falling.isPresent()) {
            return Reply.inUse(
                    state,
                    text,
                    "listener '%s' as its fallback pool".formatted(falling.get().name()));
        }
        List<Member> members = model.presentMembersOf(id);
        if (!members.isEmpty()) {
            return Reply.inUse(
                    state, text, "member '%s'".formatted(members.getFirst().name()));
        }
        return Reply.changed(
                state, PoolMembers.without(model, model.membersOf(id)).withoutPool(id), id);
    }
}
