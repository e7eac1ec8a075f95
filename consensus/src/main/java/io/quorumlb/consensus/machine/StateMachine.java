package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.ClusterState.LastIds;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.maglev.TableRefusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
            case Command.CreateMember create -> createMember(state, create);
            case Command.DeleteMember(String pool, String member) ->
                withMember(
                        state,
                        pool,
                        member,
                        found -> changed(state, state.model().withoutMember(found.id()), found.id()));
            case Command.SetMemberAdmin(String pool, String member, var admin) ->
                withMember(
                        state,
                        pool,
                        member,
                        found -> changed(state, state.model().with(found.withAdmin(admin)), found.id()));
            case Command.SetMemberWeight(String pool, String member, int weight) ->
                withMember(state, pool, member, found -> setWeight(state, found, weight));
            case Command.CreateListener(String pool, Listener listener) -> createListener(state, pool, listener);
            case Command.DeleteListener(String name) -> deleteListener(state, name);
            case Command.CommitGeneration commit -> commit(state, commit);
        };
    }

    private static Applied createSegment(ClusterState state, Segment segment) {
        Model model = state.model();
        int id = state.lastIds().segment() + 1;
        if (model.segment(segment.name()).isPresent()) {
            return exists(state, "segment.name", "segment '%s'".formatted(segment.name()));
        }
        if (id > ID_MAX) {
            return idsUsedUp(state, "segment");
        }
        Optional<Segment> overlap = model.segments().values().stream()
                .filter(other -> other.prefix().overlaps(segment.prefix()))
                .findFirst();
        if (overlap.isPresent()) {
            return refused(
                    state,
                    Cause.INVALID,
                    "segment.prefix",
                    "network %s overlaps segment '%s' (%s)"
                            .formatted(
                                    segment.prefix(),
                                    overlap.get().name(),
                                    overlap.get().prefix()));
        }
        Optional<Listener> inside = model.listeners().values().stream()
                .filter(listener -> segment.prefix().contains(listener.vip()))
                .findFirst();
        if (inside.isPresent()) {
            return refused(
                    state,
                    Cause.INVALID,
                    "segment.prefix",
                    "network %s contains VIP %s of listener '%s': a VIP must be outside every segment"
                            .formatted(
                                    segment.prefix(),
                                    inside.get().vip(),
                                    inside.get().name()));
        }
        LastIds ids = state.lastIds();
        return created(
                state, model.with(segment.withId(id)), new LastIds(id, ids.pool(), ids.member(), ids.listener()), id);
    }

    private static Applied deleteSegment(ClusterState state, String name) {
        Model model = state.model();
        Optional<Segment> segment = model.segment(name);
        if (segment.isEmpty()) {
            return notFound(state, "segment.name", "segment '%s'".formatted(name));
        }
        int id = segment.get().id();
        Optional<Member> user = model.members().values().stream()
                .filter(member -> member.segmentId() == id)
                .findFirst();
        return user.map(member -> inUse(state, "segment '%s'".formatted(name), "member '%s'".formatted(member.name())))
                .orElseGet(() -> changed(state, model.withoutSegment(id), id));
    }

    private static Applied createPool(ClusterState state, Pool pool) {
        Model model = state.model();
        int id = state.lastIds().pool() + 1;
        if (model.pool(pool.name()).isPresent()) {
            return exists(state, "pool.name", "pool '%s'".formatted(pool.name()));
        }
        if (id > SlotTable.POOL_ID_MAX) {
            return idsUsedUp(state, "pool");
        }
        LastIds ids = state.lastIds();
        return created(
                state, model.with(pool.withId(id)), new LastIds(ids.segment(), id, ids.member(), ids.listener()), id);
    }

    private static Applied deletePool(ClusterState state, String name) {
        Model model = state.model();
        Optional<Pool> pool = model.pool(name);
        if (pool.isEmpty()) {
            return notFound(state, "pool.name", "pool '%s'".formatted(name));
        }
        int id = pool.get().id();
        String text = "pool '%s'".formatted(name);
        List<Listener> listeners = model.listenersOf(id);
        if (!listeners.isEmpty()) {
            return inUse(
                    state, text, "listener '%s'".formatted(listeners.getFirst().name()));
        }
        List<Member> members = model.membersOf(id);
        if (!members.isEmpty()) {
            return inUse(state, text, "member '%s'".formatted(members.getFirst().name()));
        }
        return changed(state, model.withoutPool(id), id);
    }

    private static Applied createMember(ClusterState state, Command.CreateMember create) {
        Model model = state.model();
        Member member = create.member();
        Optional<Pool> pool = model.pool(create.pool());
        if (pool.isEmpty()) {
            return notFound(state, "member.pool", "pool '%s'".formatted(create.pool()));
        }
        Optional<Segment> segment = model.segment(create.segment());
        if (segment.isEmpty()) {
            return notFound(state, "member.segment", "segment '%s'".formatted(create.segment()));
        }
        if (!segment.get().prefix().contains(member.key().address())) {
            return refused(
                    state,
                    Cause.INVALID,
                    "member.address",
                    "address %s is outside segment '%s' (%s)"
                            .formatted(
                                    member.key().address(),
                                    create.segment(),
                                    segment.get().prefix()));
        }
        if (model.member(pool.get().id(), member.name()).isPresent()) {
            return exists(state, "member.name", "member '%s' in pool '%s'".formatted(member.name(), create.pool()));
        }
        Optional<Member> twin = model.members().values().stream()
                .filter(other -> other.key().equals(member.key()))
                .findFirst();
        if (twin.isPresent()) {
            // The switch finds the listener of a reply by the member's address and port alone.
            return exists(
                    state,
                    "member.address",
                    "%s as member '%s'".formatted(member.key(), twin.get().name()));
        }
        int id = state.lastIds().member() + 1;
        if (id > TableMember.ID_MAX) {
            return idsUsedUp(state, "member");
        }
        LastIds ids = state.lastIds();
        Member placed = new Member(
                id, pool.get().id(), segment.get().id(), member.name(), member.key(), member.weight(), member.admin());
        Optional<String> impossible = impossible(model.with(placed), pool.get());
        if (impossible.isPresent()) {
            return refused(state, Cause.INVALID, "member.weight", impossible.get());
        }
        return created(state, model.with(placed), new LastIds(ids.segment(), ids.pool(), id, ids.listener()), id);
    }

    private static Applied setWeight(ClusterState state, Member member, int weight) {
        if (weight < 0 || weight > TableMember.WEIGHT_MAX) {
            return refused(
                    state,
                    Cause.INVALID,
                    "member.weight",
                    "weight %d of member '%s' is outside 0..%d"
                            .formatted(weight, member.name(), TableMember.WEIGHT_MAX));
        }
        Model model = state.model().with(member.withWeight(weight));
        Optional<String> impossible =
                Optional.ofNullable(model.pools().get(member.poolId())).flatMap(pool -> impossible(model, pool));
        return impossible
                .map(why -> refused(state, Cause.INVALID, "member.weight", why))
                .orElseGet(() -> changed(state, model, member.id()));
    }

    /** Returns why the pool's table must not be asked for with all its members well; empty if it may. */
    private static Optional<String> impossible(Model model, Pool pool) {
        List<TableMember> members = model.membersOf(pool.id()).stream()
                .map(member -> TableMember.full(member.id(), member.key(), member.weight()))
                .toList();
        return PoolDefinition.of(pool.algorithm(), pool.id(), pool.slots(), members)
                .refusal()
                .map(TableRefusal::message);
    }

    private static Applied withMember(
            ClusterState state, String pool, String member, Function<Member, Applied> change) {
        Optional<Pool> found = state.model().pool(pool);
        if (found.isEmpty()) {
            return notFound(state, "member.pool", "pool '%s'".formatted(pool));
        }
        return state.model()
                .member(found.get().id(), member)
                .map(change)
                .orElseGet(() -> notFound(state, "member.name", "member '%s' in pool '%s'".formatted(member, pool)));
    }

    private static Applied createListener(ClusterState state, String poolName, Listener listener) {
        Model model = state.model();
        Optional<Pool> pool = model.pool(poolName);
        if (pool.isEmpty()) {
            return notFound(state, "listener.pool", "pool '%s'".formatted(poolName));
        }
        if (model.listener(listener.name()).isPresent()) {
            return exists(state, "listener.name", "listener '%s'".formatted(listener.name()));
        }
        Optional<Listener> twin = model.listeners().values().stream()
                .filter(other -> other.vip().equals(listener.vip())
                        && other.protocol() == listener.protocol()
                        && other.port() == listener.port())
                .findFirst();
        if (twin.isPresent()) {
            return exists(
                    state,
                    "listener.vip",
                    "%s:%d as listener '%s'"
                            .formatted(
                                    listener.vip(), listener.port(), twin.get().name()));
        }
        List<Listener> others = model.listenersOf(pool.get().id());
        if (!others.isEmpty()) {
            return refused(
                    state,
                    Cause.INVALID,
                    "listener.pool",
                    "pool '%s' already serves listener '%s': with address translation a reply must belong to one listener"
                            .formatted(poolName, others.getFirst().name()));
        }
        Optional<Segment> overlap = model.segments().values().stream()
                .filter(segment -> segment.prefix().contains(listener.vip()))
                .findFirst();
        if (overlap.isPresent()) {
            return refused(
                    state,
                    Cause.INVALID,
                    "listener.vip",
                    "VIP %s lies in segment '%s' (%s): a VIP must be outside every segment"
                            .formatted(
                                    listener.vip(),
                                    overlap.get().name(),
                                    overlap.get().prefix()));
        }
        int id = state.lastIds().listener() + 1;
        if (id > ID_MAX) {
            return idsUsedUp(state, "listener");
        }
        LastIds ids = state.lastIds();
        Listener placed = new Listener(
                id,
                listener.name(),
                listener.vip(),
                listener.protocol(),
                listener.port(),
                pool.get().id());
        return created(state, model.with(placed), new LastIds(ids.segment(), ids.pool(), ids.member(), id), id);
    }

    private static Applied deleteListener(ClusterState state, String name) {
        return state.model()
                .listener(name)
                .map(listener -> changed(state, state.model().withoutListener(listener.id()), listener.id()))
                .orElseGet(() -> notFound(state, "listener.name", "listener '%s'".formatted(name)));
    }

    private static Applied commit(ClusterState state, Command.CommitGeneration commit) {
        Optional<Pool> pool = Optional.ofNullable(state.model().pools().get(commit.poolId()));
        if (pool.isEmpty()) {
            return notFound(state, "generation.pool", "pool with id %d".formatted(commit.poolId()));
        }
        long current = state.generationNumber(commit.poolId());
        if (commit.number() != current + 1) {
            return refused(
                    state,
                    Cause.STALE,
                    "generation.number",
                    "generation %d of pool %d: %d is the next"
                            .formatted(commit.number(), commit.poolId(), current + 1));
        }
        if (commit.revision() != state.revision()) {
            return refused(
                    state,
                    Cause.STALE,
                    "generation.revision",
                    "planned from revision %d, now %d".formatted(commit.revision(), state.revision()));
        }
        Optional<Map.Entry<Integer, Integer>> negative = commit.effectiveWeights().entrySet().stream()
                .filter(weight -> weight.getValue() < 0)
                .findFirst();
        if (negative.isPresent()) {
            return refused(
                    state,
                    Cause.INVALID,
                    "generation.effective_weights",
                    "effective weight %d of member %d is below 0"
                            .formatted(negative.get().getValue(), negative.get().getKey()));
        }
        List<TableMember> members = state.model().membersOf(commit.poolId()).stream()
                .map(member -> new TableMember(
                        member.id(),
                        member.key(),
                        member.weight(),
                        Math.min(member.weight(), commit.effectiveWeights().getOrDefault(member.id(), 0))))
                .toList();
        PoolGeneration generation = new PoolGeneration(
                commit.poolId(),
                commit.number(),
                commit.revision(),
                pool.get().algorithm(),
                pool.get().slots(),
                members,
                commit.expected(),
                commit.reason());
        return new Applied(state.committed(generation), new Outcome.Done(commit.poolId(), state.revision()));
    }

    private static Applied created(ClusterState state, Model next, LastIds ids, int id) {
        return new Applied(state.configured(next, ids), new Outcome.Done(id, state.revision() + 1));
    }

    private static Applied changed(ClusterState state, Model next, int id) {
        if (next.equals(state.model())) {
            return new Applied(state, new Outcome.Done(id, state.revision()));
        }
        return created(state, next, state.lastIds(), id);
    }

    private static Applied refused(ClusterState state, Cause cause, String field, String message) {
        return new Applied(state, new Outcome.Refused(cause, field, message));
    }

    private static Applied notFound(ClusterState state, String field, String what) {
        return refused(state, Cause.NOT_FOUND, field, what + " does not exist");
    }

    private static Applied exists(ClusterState state, String field, String what) {
        return refused(state, Cause.ALREADY_EXISTS, field, what + " exists already");
    }

    private static Applied inUse(ClusterState state, String what, String user) {
        return refused(state, Cause.IN_USE, "name", "%s is used by %s: remove that first".formatted(what, user));
    }

    private static Applied idsUsedUp(ClusterState state, String kind) {
        return refused(state, Cause.INVALID, kind + ".id", "all %s ids have been given".formatted(kind));
    }
}
