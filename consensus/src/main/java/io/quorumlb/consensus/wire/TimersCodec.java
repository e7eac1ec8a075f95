package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.MemberTimers.DrainEnd;
import io.quorumlb.consensus.machine.MemberTimers.Hold;
import io.quorumlb.consensus.machine.MemberTimers.Ramp;
import io.quorumlb.consensus.machine.Timers;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.proto.v1.DrainMember;
import io.quorumlb.proto.v1.HeldAs;
import io.quorumlb.proto.v1.HoldMember;
import io.quorumlb.proto.v1.MemberDrainEnd;
import io.quorumlb.proto.v1.MemberHold;
import io.quorumlb.proto.v1.MemberRamp;
import io.quorumlb.proto.v1.MemberTimers;
import io.quorumlb.proto.v1.RampMember;
import io.quorumlb.proto.v1.RampWeight;
import io.quorumlb.proto.v1.SnapshotMemberTimers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Converts what is to become of members by time. */
public final class TimersCodec {
    private TimersCodec() {}

    /** Returns what is to become of one member; all times are those of the log. */
    public static MemberTimers toWire(io.quorumlb.consensus.machine.MemberTimers timers) {
        var message = MemberTimers.newBuilder();
        timers.hold()
                .ifPresent(hold -> message.setHold(MemberHold.newBuilder()
                        .setHeldAs(toWire(hold.health()))
                        .setUntilMillis(hold.untilMillis())
                        .setReason(hold.reason())));
        timers.drain()
                .ifPresent(
                        end -> message.setDrainEnd(MemberDrainEnd.newBuilder().setUntilMillis(end.untilMillis())));
        timers.ramp()
                .ifPresent(ramp -> message.setRamp(MemberRamp.newBuilder()
                        .setStartMillis(ramp.startMillis())
                        .setLengthMillis(ramp.lengthMillis())
                        .setSteps(ramp.steps())
                        .setDone(ramp.done())
                        .setFrom(ramp.from())));
        return message.build();
    }

    static List<SnapshotMemberTimers> toWire(Timers timers) {
        return timers.members().entrySet().stream()
                .map(entry -> SnapshotMemberTimers.newBuilder()
                        .setMemberId(entry.getKey())
                        .setTimers(toWire(entry.getValue()))
                        .build())
                .toList();
    }

    static Timers fromWire(List<SnapshotMemberTimers> messages) {
        SortedMap<Integer, io.quorumlb.consensus.machine.MemberTimers> members = new TreeMap<>();
        for (SnapshotMemberTimers message : messages) {
            int id = WireField.number("snapshot.timers.member_id", message.getMemberId());
            if (members.putIfAbsent(id, fromWire(message.getTimers())) != null) {
                throw new IllegalArgumentException("snapshot.timers has member %d twice".formatted(id));
            }
        }
        return new Timers(members);
    }

    private static io.quorumlb.consensus.machine.MemberTimers fromWire(MemberTimers message) {
        return new io.quorumlb.consensus.machine.MemberTimers(
                message.hasHold() ? Optional.of(fromWire(message.getHold())) : Optional.empty(),
                message.hasDrainEnd()
                        ? Optional.of(new DrainEnd(WireField.number(
                                "timers.drain_end.until_millis",
                                message.getDrainEnd().getUntilMillis())))
                        : Optional.empty(),
                message.hasRamp() ? Optional.of(fromWire(message.getRamp())) : Optional.empty());
    }

    private static Hold fromWire(MemberHold message) {
        return new Hold(
                fromWire("timers.hold.held_as", message.getHeldAs()),
                WireField.number("timers.hold.until_millis", message.getUntilMillis()),
                message.getReason());
    }

    private static Ramp fromWire(MemberRamp message) {
        return new Ramp(
                WireField.number("timers.ramp.start_millis", message.getStartMillis()),
                WireField.number("timers.ramp.length_millis", message.getLengthMillis()),
                message.getSteps(),
                message.getDone(),
                message.getFrom());
    }

    static HoldMember toWire(Command.HoldMember hold) {
        return HoldMember.newBuilder()
                .setMember(EntryCodec.name(hold.pool(), hold.member()))
                .setHeldAs(toWire(hold.health()))
                .setDurationMillis(hold.durationMillis())
                .setReason(hold.reason())
                .build();
    }

    static Command.HoldMember fromWire(HoldMember message) {
        return new Command.HoldMember(
                message.getMember().getPool(),
                message.getMember().getMember(),
                fromWire("hold_member.held_as", message.getHeldAs()),
                message.getDurationMillis(),
                message.getReason());
    }

    static DrainMember toWire(Command.DrainMember drain) {
        var message = DrainMember.newBuilder().setMember(EntryCodec.name(drain.pool(), drain.member()));
        drain.deleteAfterMillis().ifPresent(message::setDeleteAfterMillis);
        return message.build();
    }

    static Command.DrainMember fromWire(DrainMember message) {
        return new Command.DrainMember(
                message.getMember().getPool(),
                message.getMember().getMember(),
                message.hasDeleteAfterMillis()
                        ? OptionalLong.of(message.getDeleteAfterMillis())
                        : OptionalLong.empty());
    }

    static RampMember toWire(Command.RampMember ramp) {
        return RampMember.newBuilder()
                .setMember(EntryCodec.name(ramp.pool(), ramp.member()))
                .setLengthMillis(ramp.lengthMillis())
                .setSteps(ramp.steps())
                .build();
    }

    static Command.RampMember fromWire(RampMember message) {
        return new Command.RampMember(
                message.getMember().getPool(),
                message.getMember().getMember(),
                message.getLengthMillis(),
                message.getSteps());
    }

    static RampWeight toWire(Command.RampWeight ramp) {
        return RampWeight.newBuilder()
                .setMember(EntryCodec.name(ramp.pool(), ramp.member()))
                .setWeight(ramp.weight())
                .setLengthMillis(ramp.lengthMillis())
                .setSteps(ramp.steps())
                .build();
    }

    static Command.RampWeight fromWire(RampWeight message) {
        return new Command.RampWeight(
                message.getMember().getPool(),
                message.getMember().getMember(),
                message.getWeight(),
                message.getLengthMillis(),
                message.getSteps());
    }

    private static HeldAs toWire(Health health) {
        return switch (health) {
            case UP -> HeldAs.HELD_AS_UP;
            case DOWN -> HeldAs.HELD_AS_DOWN;
        };
    }

    /**
     * Returns what a member is held as.
     *
     * @throws IllegalArgumentException naming the field if it is unset or unknown
     */
    public static Health fromWire(String field, HeldAs heldAs) {
        return switch (heldAs) {
            case HELD_AS_UP -> Health.UP;
            case HELD_AS_DOWN -> Health.DOWN;
            case HELD_AS_UNSPECIFIED, UNRECOGNIZED -> throw WireField.unknownEnum(field, heldAs, "up or down");
        };
    }
}
