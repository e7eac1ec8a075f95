package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.PoolGuards.Flapping;
import io.quorumlb.consensus.pool.Evidence;
import io.quorumlb.consensus.pool.GenerationCause;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Converts what guards a pool's table and what speaks for a generation; as {@link ModelCodec} in all else. A setting that
 * is absent stays as it was, which in stored state is the default.
 */
public final class GuardCodec {
    private GuardCodec() {}

    /** Returns the guards as a message; times are cut to whole milliseconds. */
    public static io.quorumlb.proto.v1.PoolGuards toWire(PoolGuards guards) {
        return io.quorumlb.proto.v1.PoolGuards.newBuilder()
                .setMassFailurePercent(guards.massFailure())
                .setMovedMaxPercent(guards.movedMax())
                .setPanicPercent(guards.panic())
                .setFlapLimit(guards.flapping().limit())
                .setFlapReuse(guards.flapping().reuse())
                .setFlapHalfLifeMillis(
                        Math.toIntExact(guards.flapping().halfLife().toMillis()))
                .setGenerationIntervalMillis(
                        Math.toIntExact(guards.generationInterval().toMillis()))
                .setSettleMaxMillis(Math.toIntExact(guards.settleMax().toMillis()))
                .build();
    }

    /**
     * Returns the guards of a message.
     *
     * @param before what stands where the message says nothing
     */
    public static PoolGuards fromWire(io.quorumlb.proto.v1.PoolGuards message, PoolGuards before) {
        Flapping flapping = before.flapping();
        return new PoolGuards(
                message.hasMassFailurePercent()
                        ? WireField.number("guards.mass_failure_percent", message.getMassFailurePercent())
                        : before.massFailure(),
                message.hasMovedMaxPercent()
                        ? WireField.number("guards.moved_max_percent", message.getMovedMaxPercent())
                        : before.movedMax(),
                message.hasPanicPercent()
                        ? WireField.number("guards.panic_percent", message.getPanicPercent())
                        : before.panic(),
                new Flapping(
                        message.hasFlapLimit()
                                ? WireField.number("guards.flap_limit", message.getFlapLimit())
                                : flapping.limit(),
                        message.hasFlapReuse()
                                ? WireField.number("guards.flap_reuse", message.getFlapReuse())
                                : flapping.reuse(),
                        message.hasFlapHalfLifeMillis()
                                ? millis(message.getFlapHalfLifeMillis())
                                : flapping.halfLife()),
                message.hasGenerationIntervalMillis()
                        ? millis(message.getGenerationIntervalMillis())
                        : before.generationInterval(),
                message.hasSettleMaxMillis() ? millis(message.getSettleMaxMillis()) : before.settleMax());
    }

    private static Duration millis(int unsigned) {
        return Duration.ofMillis(Integer.toUnsignedLong(unsigned));
    }

    /** Returns the override as a message. */
    public static io.quorumlb.proto.v1.GuardOverride toWire(GuardOverride override) {
        var message = io.quorumlb.proto.v1.GuardOverride.newBuilder().setBaseGeneration(override.baseGeneration());
        override.guards().forEach(guard -> message.addGuards(EnumCodec.toWire(guard)));
        return message.build();
    }

    /** Returns the override of a message. */
    public static GuardOverride fromWire(io.quorumlb.proto.v1.GuardOverride message) {
        return new GuardOverride(
                guards("override.guards", message.getGuardsList()),
                WireField.number("override.base_generation", message.getBaseGeneration()));
    }

    /** Returns the guards of a list of wire values. */
    public static SortedSet<Guard> guards(String field, List<io.quorumlb.proto.v1.Guard> values) {
        SortedSet<Guard> guards = new TreeSet<>();
        values.forEach(value -> guards.add(EnumCodec.fromWire(field, value)));
        return guards;
    }

    /** Returns the evidence as a message. */
    public static io.quorumlb.proto.v1.Evidence toWire(Evidence evidence) {
        return io.quorumlb.proto.v1.Evidence.newBuilder()
                .setMemberId(evidence.memberId())
                .setObserver(evidence.observer().value())
                .setHealth(EnumCodec.toWire(evidence.health()))
                .setSinceMillis(evidence.since().toMillis())
                .setDetail(evidence.detail())
                .build();
    }

    /** Returns the evidence of a message. */
    public static Evidence fromWire(io.quorumlb.proto.v1.Evidence message) {
        return new Evidence(
                WireField.number("evidence.member_id", message.getMemberId()),
                WireField.parse("evidence.observer", message.getObserver(), NodeId::new),
                EnumCodec.fromWire("evidence.health", message.getHealth()),
                Duration.ofMillis(WireField.number("evidence.since_millis", message.getSinceMillis())),
                message.getDetail());
    }

    /** Returns the cause's wire value. */
    public static io.quorumlb.proto.v1.GenerationCause toWire(GenerationCause cause) {
        return EnumCodec.toWire(cause);
    }
}
