package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.machine.Outcome.Refused;
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

    static Outcome create(Draft draft, Command.CreateMember create) {
        Optional<Pool> pool = draft.pool(create.pool());
        if (pool.isEmpty()) {
            return Refusal.notFound("member.pool", "pool '%s'".formatted(create.pool()));
        }
        Optional<Segment> segment = draft.segment(create.segment());
        if (segment.isEmpty()) {
            return Refusal.notFound("member.segment", "segment '%s'".formatted(create.segment()));
        }
        Member member = create.member();
        int poolId = pool.get().id();
        if (draft.member(poolId, member.name()).isPresent()) {
            return Refusal.exists("member.name", "member '%s' in pool '%s'".formatted(member.name(), create.pool()));
        }
        return draft.ids().member() >= TableMember.ID_MAX
                ? Refusal.idsUsedUp("member")
                : Edits.made(draft.add(member, poolId, segment.get().id()));
    }

    static Outcome delete(Draft draft, String poolName, String memberName) {
        return withMember(draft, poolName, memberName, (pool, member) -> {
            if (draft.present(pool.id()) == 1) {
                draft.remove(member);
                draft.removeRetired(pool.id());
            } else if (inBase(draft.before(), pool, member)) {
                draft.retire(member);
            } else {
                draft.remove(member);
            }
            return Edits.made(member.id());
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

    /** Returns why no more members of a pool can be retired. */
    static Optional<Refused> crowded(Pool pool, List<Member> members) {
        long base = weight(members);
        List<Member> retired = members.stream().filter(Member::retired).toList();
        if (retired.size() < 2 || weight(retired) * RETIRED_PART <= base) {
            return Optional.empty();
        }
        return Optional.of(Refusal.limit(
                "member.name",
                ("deleting member '%s' would leave retired members with weight %d of %d in the base of pool '%s', at"
                                + " most a quarter is allowed: compact the pool first")
                        .formatted(retired.getLast().name(), weight(retired), base, pool.name())));
    }

    private static long weight(Collection<Member> members) {
        return members.stream().mapToLong(Member::weight).sum();
    }

    static Outcome setAdmin(Draft draft, String poolName, String memberName, AdminState admin) {
        return withMember(draft, poolName, memberName, (_, member) -> {
            draft.putWeighed(member.withAdmin(admin));
            return Edits.made(member.id());
        });
    }

    static Outcome setWeight(Draft draft, String poolName, String memberName, int weight) {
        return withMember(draft, poolName, memberName, (_, member) -> {
            if (weight < 0 || weight > TableMember.WEIGHT_MAX) {
                return Refusal.invalid(
                        "member.weight",
                        "weight %d of member '%s' is outside 0..%d"
                                .formatted(weight, member.name(), TableMember.WEIGHT_MAX));
            }
            draft.putWeighed(member.withWeight(weight));
            return Edits.made(member.id());
        });
    }

    static Outcome setCeiling(Draft draft, String poolName, String memberName, int ceiling) {
        return withMember(draft, poolName, memberName, (_, member) -> {
            if (ceiling < 0 || ceiling > member.weight()) {
                return Refusal.invalid(
                        "member.ceiling",
                        "ceiling %d of member '%s' is outside 0..%d (its weight)"
                                .formatted(ceiling, member.name(), member.weight()));
            }
            draft.putRamping(member.withCeiling(ceiling));
            return Edits.made(member.id());
        });
    }

    static Outcome setMac(Draft draft, String poolName, String memberName, Optional<StaticMac> mac) {
        return withMember(draft, poolName, memberName, (_, member) -> {
            draft.putPinned(member.withStaticMac(mac));
            return Edits.made(member.id());
        });
    }

    private static Outcome withMember(
            Draft draft, String poolName, String memberName, BiFunction<Pool, Member, Outcome> change) {
        Optional<Pool> pool = draft.pool(poolName);
        if (pool.isEmpty()) {
            return Refusal.notFound("member.pool", "pool '%s'".formatted(poolName));
        }
        return draft.member(pool.get().id(), memberName)
                .map(member -> change.apply(pool.get(), member))
                .orElseGet(() ->
                        Refusal.notFound("member.name", "member '%s' in pool '%s'".formatted(memberName, poolName)));
    }

    /** Returns why a table of these members is not defined: it names member, value and limit. */
    static Optional<Refused> undefined(Pool pool, List<Member> members) {
        List<TableMember> wanted = members.stream()
                .map(member -> new TableMember(
                        member.id(), member.key(), member.weight(), member.wanted() ? member.weight() : 0))
                .toList();
        return PoolDefinition.of(pool.algorithm(), pool.id(), pool.slots(), wanted)
                .refusal()
                .map(refusal -> Refusal.invalid("member.weight", refusal.message()));
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
}
