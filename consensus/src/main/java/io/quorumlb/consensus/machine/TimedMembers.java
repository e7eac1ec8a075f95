package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.MemberTimers.DrainEnd;
import io.quorumlb.consensus.machine.MemberTimers.Hold;
import io.quorumlb.consensus.machine.MemberTimers.Ramp;
import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.maglev.TableMember;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** What operators ask of members for a time, or by a time. */
final class TimedMembers {
    private TimedMembers() {}

    static Applied hold(ClusterState state, Command.HoldMember hold) {
        Optional<Refused> wrong = outside(
                        "duration_millis", hold.durationMillis(), Hold.DURATION_MIN_MILLIS, Hold.DURATION_MAX_MILLIS)
                .or(() -> hold.reason().length() > Hold.REASON_MAX
                        ? Optional.of(Refusal.invalid(
                                "reason",
                                "reason has %d characters, at most %d are allowed"
                                        .formatted(hold.reason().length(), Hold.REASON_MAX)))
                        : Optional.empty());
        if (wrong.isPresent()) {
            return new Applied(state, wrong.get());
        }
        return withMember(state, hold.pool(), hold.member(), member -> {
            long until = MemberTimers.later(state.requests().clockMillis(), hold.durationMillis());
            var held = Optional.of(new Hold(hold.health(), until, hold.reason()));
            return changed(state, member, state.timers().of(member.id()).withHold(held));
        });
    }

    static Applied release(ClusterState state, Command.ReleaseMember release) {
        return withMember(
                state,
                release.pool(),
                release.member(),
                member -> changed(state, member, state.timers().of(member.id()).withHold(Optional.empty())));
    }

    /** Drains at once; what ends an earlier drain is forgotten. */
    static Applied drain(ClusterState state, Command.DrainMember drain) {
        Optional<Refused> wrong = drain.deleteAfterMillis().isEmpty()
                ? Optional.empty()
                : outside(
                        "deadline_millis",
                        drain.deleteAfterMillis().getAsLong(),
                        Hold.DURATION_MIN_MILLIS,
                        Hold.DURATION_MAX_MILLIS);
        if (wrong.isPresent()) {
            return new Applied(state, wrong.get());
        }
        return withMember(state, drain.pool(), drain.member(), member -> {
            Applied drained =
                    Edits.apply(state, new Command.SetMemberAdmin(drain.pool(), drain.member(), AdminState.DRAINED));
            return then(state, drained, member, before -> before.withDrain(end(state, drain.deleteAfterMillis())));
        });
    }

    private static Optional<DrainEnd> end(ClusterState state, OptionalLong afterMillis) {
        return afterMillis.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new DrainEnd(MemberTimers.later(state.requests().clockMillis(), afterMillis.getAsLong())));
    }

    /** Enables a member and raises its ceiling step by step from a part of its weight. */
    static Applied ramp(ClusterState state, Command.RampMember ramp) {
        Optional<Refused> wrong = unfit(ramp.lengthMillis(), ramp.steps());
        if (wrong.isPresent()) {
            return new Applied(state, wrong.get());
        }
        return withMember(state, ramp.pool(), ramp.member(), member -> {
            if (member.weight() < 2) {
                return new Applied(
                        state,
                        Refusal.invalid(
                                "ramp_millis",
                                "member '%s' has weight %d: there is nothing between 0 and 1 to ramp over, give the members of the pool larger weights"
                                        .formatted(member.name(), member.weight())));
            }
            var begun = new Ramp(state.requests().clockMillis(), ramp.lengthMillis(), ramp.steps(), 0, 0);
            Applied made = Edits.apply(
                    state,
                    new Command.Batch(List.of(
                            new Command.SetMemberAdmin(ramp.pool(), ramp.member(), AdminState.ENABLED),
                            new Command.SetMemberCeiling(ramp.pool(), ramp.member(), begun.ceiling(member.weight())))));
            return then(state, made, member, before -> before.withRamp(Optional.of(begun)));
        });
    }

    /** Gives a member a larger weight and raises its ceiling step by step from where it is. */
    static Applied rampWeight(ClusterState state, Command.RampWeight ramp) {
        Optional<Refused> wrong = unfit(ramp.lengthMillis(), ramp.steps())
                .or(() -> outside("weight", ramp.weight(), 0, TableMember.WEIGHT_MAX));
        if (wrong.isPresent()) {
            return new Applied(state, wrong.get());
        }
        return withMember(state, ramp.pool(), ramp.member(), member -> {
            Optional<Refused> unable = unable(member, ramp.weight());
            if (unable.isPresent()) {
                return new Applied(state, unable.get());
            }
            var begun =
                    new Ramp(state.requests().clockMillis(), ramp.lengthMillis(), ramp.steps(), 0, member.ceiling());
            Applied made = Edits.apply(
                    state,
                    new Command.Batch(List.of(
                            new Command.SetMemberWeight(ramp.pool(), ramp.member(), ramp.weight()),
                            new Command.SetMemberCeiling(ramp.pool(), ramp.member(), begun.ceiling(ramp.weight())))));
            return then(state, made, member, before -> before.withRamp(Optional.of(begun)));
        });
    }

    private static Optional<Refused> unable(Member member, int weight) {
        if (member.admin() != AdminState.ENABLED) {
            return Optional.of(Refusal.limit(
                    "ramp_millis",
                    "member '%s' is drained: set its weight without a ramp, then enable it with one"
                            .formatted(member.name())));
        }
        if (weight < member.ceiling()) {
            return Optional.of(Refusal.invalid(
                    "ramp_millis",
                    "weight %d is less than the %d that member '%s' may take now: only a rise is ramped, set a smaller weight without ramp_millis"
                            .formatted(weight, member.ceiling(), member.name())));
        }
        return weight - member.ceiling() < 2
                ? Optional.of(Refusal.invalid(
                        "ramp_millis",
                        "member '%s' may take %d now: there is nothing between that and weight %d to ramp over"
                                .formatted(member.name(), member.ceiling(), weight)))
                : Optional.empty();
    }

    private static Optional<Refused> unfit(long rampMillis, int steps) {
        return outside("ramp_millis", rampMillis, Hold.DURATION_MIN_MILLIS, Hold.DURATION_MAX_MILLIS)
                .or(() -> outside("ramp_steps", steps, 1, Ramp.STEPS_MAX));
    }

    /** Returns the timers on top of an edit, as one change. */
    private static Applied then(
            ClusterState before, Applied edited, Member member, Function<MemberTimers, MemberTimers> change) {
        if (!(edited.outcome() instanceof Outcome.Done)) {
            return edited;
        }
        ClusterState state = edited.state();
        Timers timers =
                state.timers().with(member.id(), change.apply(state.timers().of(member.id())));
        if (timers.equals(before.timers()) && state.revision() == before.revision()) {
            return edited;
        }
        ClusterState next = state.revision() == before.revision() ? state.timed(timers) : state.with(timers);
        return new Applied(next, new Outcome.Done(member.id(), next.revision()));
    }

    private static Applied changed(ClusterState state, Member member, MemberTimers timers) {
        Timers next = state.timers().with(member.id(), timers);
        ClusterState after = next.equals(state.timers()) ? state : state.timed(next);
        return new Applied(after, new Outcome.Done(member.id(), after.revision()));
    }

    private static Optional<Refused> outside(String field, long value, long min, long max) {
        return value >= min && value <= max
                ? Optional.empty()
                : Optional.of(Refusal.invalid(field, "%s %d is outside %d..%d".formatted(field, value, min, max)));
    }

    private static Applied withMember(
            ClusterState state, String poolName, String memberName, Function<Member, Applied> change) {
        Optional<Pool> pool = state.model().pool(poolName);
        if (pool.isEmpty()) {
            return Reply.notFound(state, "member.pool", "pool '%s'".formatted(poolName));
        }
        return state.model().presentMembersOf(pool.get().id()).stream()
                .filter(member -> member.name().equals(memberName))
                .findFirst()
                .map(change)
                .orElseGet(() -> Reply.notFound(
                        state, "member.name", "member '%s' in pool '%s'".formatted(memberName, poolName)));
    }
}
