package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.ClusterState.LastIds;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.TableMember;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What happens to the members of a pool. The configured members are the base of a version 2 table: a deleted one stays
 * in it as retired, so that deleting after draining moves nothing, until the pool is compacted.
 */
final class PoolMembers {
    /**
     * At most one part in so many of the base's weight may be retired, but always one member: else nothing could be
     * deleted from a small pool.
     */
    private static final int RETIRED_PART = 4;

    private PoolMembers() {}

    static Applied create(ClusterState state, Command.CreateMember create) {
        Model model = state.model();
        Member member = create.member();
        Optional<Pool> pool = model.pool(create.pool());
        if (pool.isEmpty()) {
            return Reply.notFound(state, "member.pool", "pool '%s'".formatted(create.pool()));
        }
        Optional<Segment> segment = model.segment(create.segment());
        if (segment.isEmpty()) {
            return Reply.notFound(state, "member.segment", "segment '%s'".formatted(create.segment()));
        }
        if (!segment.get().contains(member.key().address())) {
            return Reply.refused(
                    state,
                    Cause.INVALID,
                    "member.address",
                    "address %s is outside segment '%s' (%s)"
                            .formatted(
                                    member.key().address(),
                                    create.segment(),
                                    segment.get().prefixes()));
        }
        if (model.member(pool.get().id(), member.name()).isPresent()) {
            return Reply.exists(
                    state, "member.name", "member '%s' in pool '%s'".formatted(member.name(), create.pool()));
        }
        Optional<Member> twin = model.members().values().stream()
                .filter(other -> !other.retired() && other.key().equals(member.key()))
                .findFirst();
        if (twin.isPresent()) {
            return Reply.exists(
                    state,
                    "member.address",
                    "%s as member '%s'".formatted(member.key(), twin.get().name()));
        }
        Optional<Applied> contradicted = contradiction(state, member);
        if (contradicted.isPresent()) {
            return contradicted.get();
        }
        int id = state.lastIds().member() + 1;
        if (id > TableMember.ID_MAX) {
            return Reply.idsUsedUp(state, "member");
        }
        LastIds ids = state.lastIds();
        Member placed = new Member(
                        id,
                        pool.get().id(),
                        segment.get().id(),
                        member.name(),
                        member.key(),
                        member.weight(),
                        member.admin())
                .withStaticMac(member.staticMac());
        // A retired member that comes back takes its own place in the base again.
        List<Member> returned = model.membersOf(pool.get().id()).stream()
                .filter(other -> other.key().equals(member.key()))
                .toList();
        Model next = without(model, returned).with(placed);
        return Listeners.refusal(state, next, placed)
                .or(() -> refusal(state, next, pool.get()))
                .orElseGet(() ->
                        Reply.created(state, next, new LastIds(ids.segment(), ids.pool(), id, ids.listener()), id));
    }

    static Applied delete(ClusterState state, String poolName, String memberName) {
        return withMember(state, poolName, memberName, (pool, member) -> {
            Model model = state.model();
            boolean last = model.presentMembersOf(pool.id()).size() == 1;
            if (last) {
                return Reply.changed(state, without(model, model.membersOf(pool.id())), member.id());
            }
            return inBase(state, pool, member)
                    ? retire(state, pool, member)
                    : Reply.changed(state, model.withoutMember(member.id()), member.id());
        });
    }

    /** Returns true if taking the member away would build another base. */
    private static boolean inBase(ClusterState state, Pool pool, Member member) {
        return pool.algorithm() != HashAlgoVersion.V1
                && member.weight() > 0
                && state.generation(pool.id())
                        .flatMap(generation -> generation.member(member.id()))
                        .isPresent();
    }

    private static Applied retire(ClusterState state, Pool pool, Member member) {
        Model next = state.model().with(member.withAdmin(AdminState.RETIRED));
        long base = weight(next.membersOf(pool.id()));
        long retired = base - weight(next.presentMembersOf(pool.id()));
        boolean others = state.model().membersOf(pool.id()).stream().anyMatch(Member::retired);
        if (others && retired * RETIRED_PART > base) {
            return Reply.refused(
                    state,
                    Cause.LIMIT,
                    "member.name",
                    ("deleting member '%s' would leave retired members with weight %d of %d in the base of pool '%s', at"
                                    + " most a quarter is allowed: compact the pool first")
                            .formatted(member.name(), retired, base, pool.name()));
        }
        return Reply.changed(state, next, member.id());
    }

    private static long weight(Collection<Member> members) {
        return members.stream().mapToLong(Member::weight).sum();
    }

    static Applied setAdmin(ClusterState state, String poolName, String memberName, AdminState admin) {
        return withMember(state, poolName, memberName, (pool, member) -> checked(state, pool, member.withAdmin(admin)));
    }

    static Applied setWeight(ClusterState state, String poolName, String memberName, int weight) {
        return withMember(state, poolName, memberName, (pool, member) -> {
            if (weight < 0 || weight > TableMember.WEIGHT_MAX) {
                return Reply.refused(
                        state,
                        Cause.INVALID,
                        "member.weight",
                        "weight %d of member '%s' is outside 0..%d"
                                .formatted(weight, member.name(), TableMember.WEIGHT_MAX));
            }
            return checked(state, pool, member.withWeight(weight));
        });
    }

    static Applied setCeiling(ClusterState state, String poolName, String memberName, int ceiling) {
        return withMember(state, poolName, memberName, (pool, member) -> {
            if (ceiling < 0 || ceiling > member.weight()) {
                return Reply.refused(
                        state,
                        Cause.INVALID,
                        "member.ceiling",
                        "ceiling %d of member '%s' is outside 0..%d (its weight)"
                                .formatted(ceiling, member.name(), member.weight()));
            }
            return Reply.changed(state, state.model().with(member.withCeiling(ceiling)), member.id());
        });
    }

    static Applied setMac(ClusterState state, String poolName, String memberName, Optional<StaticMac> mac) {
        return withMember(state, poolName, memberName, (pool, member) -> {
            Member wanted = member.withStaticMac(mac);
            return contradiction(state, wanted)
                    .orElseGet(() -> Reply.changed(state, state.model().with(wanted), member.id()));
        });
    }

    /** An address is at one place: members on several of its ports cannot have several MAC addresses. */
    private static Optional<Applied> contradiction(ClusterState state, Member wanted) {
        return state.model().members().values().stream()
                .filter(other -> other.id() != wanted.id() && !other.retired())
                .filter(other -> other.key().address().equals(wanted.key().address()))
                .filter(other -> other.staticMac().isPresent()
                        && wanted.staticMac().isPresent()
                        && !other.staticMac().equals(wanted.staticMac()))
                .findFirst()
                .map(other -> Reply.refused(
                        state,
                        Cause.INVALID,
                        "member.static_mac",
                        "static MAC address %s of member '%s': member '%s' at the same address %s has %s"
                                .formatted(
                                        wanted.staticMac()
                                                .map(StaticMac::toString)
                                                .orElse(""),
                                        wanted.name(),
                                        other.name(),
                                        other.key().address(),
                                        other.staticMac()
                                                .map(StaticMac::toString)
                                                .orElse(""))));
    }

    static Applied compact(ClusterState state, String poolName, int movedMax) {
        Optional<Pool> pool = state.model().pool(poolName);
        if (pool.isEmpty()) {
            return Reply.notFound(state, "pool.name", "pool '%s'".formatted(poolName));
        }
        var compaction = Compaction.of(state, pool.get());
        if (compaction.movement().moved() > movedMax) {
            return Reply.refused(
                    state,
                    Cause.LIMIT,
                    "moved_max",
                    "compacting pool '%s' moves %d of %d slots, allowed are %d: allow more, or wait for a quiet hour"
                            .formatted(
                                    poolName,
                                    compaction.movement().moved(),
                                    pool.get().slots(),
                                    movedMax));
        }
        return Reply.changed(
                state, without(state.model(), compaction.retired()), pool.get().id());
    }

    /** Returns the model without the members. */
    static Model without(Model model, Collection<Member> members) {
        Model next = model;
        for (Member member : members) {
            next = next.withoutMember(member.id());
        }
        return next;
    }

    private static Applied checked(ClusterState state, Pool pool, Member changed) {
        Model next = state.model().with(changed);
        return refusal(state, next, pool).orElseGet(() -> Reply.changed(state, next, changed.id()));
    }

    /** Returns the refusal of a configuration whose table is not defined: it names member, value and limit. */
    private static Optional<Applied> refusal(ClusterState state, Model next, Pool pool) {
        List<TableMember> members = next.membersOf(pool.id()).stream()
                .map(member -> new TableMember(
                        member.id(), member.key(), member.weight(), member.wanted() ? member.weight() : 0))
                .toList();
        return PoolDefinition.of(pool.algorithm(), pool.id(), pool.slots(), members)
                .refusal()
                .map(refusal -> Reply.refused(state, Cause.INVALID, "member.weight", refusal.message()));
    }

    private static Applied withMember(
            ClusterState state, String poolName, String memberName, BiFunction<Pool, Member, Applied> change) {
        Optional<Pool> pool = state.model().pool(poolName);
        if (pool.isEmpty()) {
            return Reply.notFound(state, "member.pool", "pool '%s'".formatted(poolName));
        }
        return state.model()
                .member(pool.get().id(), memberName)
                .map(member -> change.apply(pool.get(), member))
                .orElseGet(() -> Reply.notFound(
                        state, "member.name", "member '%s' in pool '%s'".formatted(memberName, poolName)));
    }
}
