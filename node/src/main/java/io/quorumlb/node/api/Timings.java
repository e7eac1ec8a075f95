package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.MemberTimers.Hold;
import io.quorumlb.consensus.machine.MemberTimers.Ramp;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.wire.TimersCodec;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.proto.v1.DrainAction;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.HoldMemberRequest;
import io.quorumlb.proto.v1.MemberTimers;
import io.quorumlb.proto.v1.ReleaseMemberRequest;
import io.quorumlb.proto.v1.SetMemberWeightRequest;
import java.util.OptionalLong;

/** What operators ask of members for a time or by a time, and what is left of it. */
final class Timings {
    private static final int RAMP_STEPS_DEFAULT = 10;

    private Timings() {}

    static Command of(HoldMemberRequest request) {
        if (request.getReason().length() > Hold.REASON_MAX) {
            throw Refusals.invalid(
                    "reason",
                    "reason has %d characters, at most %d are allowed"
                            .formatted(request.getReason().length(), Hold.REASON_MAX));
        }
        return new Command.HoldMember(
                Commands.named("pool", request.getPool()),
                Commands.named("member", request.getMember()),
                Commands.valid("held_as", () -> TimersCodec.fromWire("held_as", request.getHeldAs())),
                duration("duration_millis", request.getDurationMillis()),
                request.getReason());
    }

    static Command of(ReleaseMemberRequest request) {
        return new Command.ReleaseMember(
                Commands.named("pool", request.getPool()), Commands.named("member", request.getMember()));
    }

    static Command of(DrainMemberRequest request) {
        String pool = Commands.named("pool", request.getPool());
        String member = Commands.named("member", request.getMember());
        return switch (request.getFinalAction()) {
            case DRAIN_ACTION_UNSPECIFIED -> {
                if (request.getDeadlineMillis() != 0) {
                    throw Refusals.invalid(
                            "final_action",
                            "final_action must say what happens at the deadline: DRAIN_ACTION_DELETE expected");
                }
                yield new Command.DrainMember(pool, member, OptionalLong.empty());
            }
            case DRAIN_ACTION_DELETE ->
                new Command.DrainMember(
                        pool, member, OptionalLong.of(duration("deadline_millis", request.getDeadlineMillis())));
            case UNRECOGNIZED ->
                throw Refusals.invalid(
                        "final_action",
                        "final_action is unknown: %s expected".formatted(DrainAction.DRAIN_ACTION_DELETE));
        };
    }

    static Command of(EnableMemberRequest request) {
        String pool = Commands.named("pool", request.getPool());
        String member = Commands.named("member", request.getMember());
        if (request.getRampMillis() == 0) {
            withoutRamp(request.getRampSteps());
            return new Command.SetMemberAdmin(pool, member, AdminState.ENABLED);
        }
        return new Command.RampMember(
                pool, member, duration("ramp_millis", request.getRampMillis()), steps(request.getRampSteps()));
    }

    static Command of(SetMemberWeightRequest request) {
        String pool = Commands.named("pool", request.getPool());
        String member = Commands.named("member", request.getMember());
        long weight = Integer.toUnsignedLong(request.getWeight());
        if (weight > TableMember.WEIGHT_MAX) {
            throw Refusals.outside("weight", Long.toString(weight), "0.." + TableMember.WEIGHT_MAX);
        }
        if (request.getRampMillis() == 0) {
            withoutRamp(request.getRampSteps());
            return new Command.SetMemberWeight(pool, member, request.getWeight());
        }
        return new Command.RampWeight(
                pool,
                member,
                request.getWeight(),
                duration("ramp_millis", request.getRampMillis()),
                steps(request.getRampSteps()));
    }

    private static void withoutRamp(int steps) {
        if (steps != 0) {
            throw Refusals.invalid("ramp_steps", "ramp_steps without ramp_millis: say how long the ramp is");
        }
    }

    private static int steps(int asked) {
        long steps = Integer.toUnsignedLong(asked);
        if (steps > Ramp.STEPS_MAX) {
            throw Refusals.outside(
                    "ramp_steps",
                    Long.toString(steps),
                    "1.." + Ramp.STEPS_MAX,
                    " (0 means %d)".formatted(RAMP_STEPS_DEFAULT));
        }
        return steps == 0 ? RAMP_STEPS_DEFAULT : (int) steps;
    }

    private static long duration(String field, long millis) {
        if (millis < Hold.DURATION_MIN_MILLIS || millis > Hold.DURATION_MAX_MILLIS) {
            throw Refusals.outside(
                    field,
                    Long.toUnsignedString(millis),
                    "%d..%d".formatted(Hold.DURATION_MIN_MILLIS, Hold.DURATION_MAX_MILLIS));
        }
        return millis;
    }

    /** Returns what is to become of a member, with the time that is left. */
    static MemberTimers left(NodeState state, int memberId, MonotonicTime now) {
        long time = state.logTime(now);
        var message = TimersCodec.toWire(state.cluster().timers().of(memberId)).toBuilder();
        if (message.hasHold()) {
            var hold = message.getHoldBuilder();
            hold.setLeftMillis(Math.max(0, hold.getUntilMillis() - time));
        }
        if (message.hasDrainEnd()) {
            var end = message.getDrainEndBuilder();
            end.setLeftMillis(Math.max(0, end.getUntilMillis() - time));
        }
        if (message.hasRamp()) {
            var ramp = message.getRampBuilder();
            ramp.setLeftMillis(Math.max(0, ramp.getStartMillis() + ramp.getLengthMillis() - time));
        }
        return message.build();
    }
}
