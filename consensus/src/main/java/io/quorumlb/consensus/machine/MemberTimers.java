package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.pool.Health;
import io.quorumlb.maglev.TableMember;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is to become of one member by time. All times are the log's, milliseconds since 1970.
 *
 * @param hold an operator's word on its health; empty if the quorum's view rules
 * @param drain what ends its drain; empty if it is drained until somebody says otherwise, or not at all
 * @param ramp how it comes to its whole weight; empty if it has it, or takes a fixed part
 */
public record MemberTimers(Optional<Hold> hold, Optional<DrainEnd> drain, Optional<Ramp> ramp) {
    /** Nothing is to become of the member. */
    public static final MemberTimers NONE = new MemberTimers(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * An operator's word on a member's health.
     *
     * @param health what the member is taken for
     * @param untilMillis when it ends
     * @param reason why, for people
     */
    public record Hold(Health health, long untilMillis, String reason) {
        /** Shortest hold. */
        public static final long DURATION_MIN_MILLIS = 1_000;

        /** Longest hold: seven days. */
        public static final long DURATION_MAX_MILLIS = 7L * 24 * 3_600 * 1_000;

        /** Most characters of a reason. */
        public static final int REASON_MAX = 200;
    }

    /**
     * The end of a drain: the member is deleted.
     *
     * @param untilMillis when
     */
    public record DrainEnd(long untilMillis) {}

    /**
     * A member on its way to its whole weight, in equal steps of its ceiling.
     *
     * @param startMillis when it began
     * @param lengthMillis how long after that it has its whole weight
     * @param steps how often its ceiling is raised, 1..{@value #STEPS_MAX}
     * @param done how often it has been raised
     * @param from the ceiling that it began above, 0..{@value TableMember#WEIGHT_MAX}; 0 if it starts anew
     */
    public record Ramp(long startMillis, long lengthMillis, int steps, int done, int from) {
        /** Most steps. */
        public static final int STEPS_MAX = 100;

        /** Checks the ranges. */
        public Ramp {
            if (steps < 1 || steps > STEPS_MAX) {
                throw new IllegalArgumentException("ramp steps %d are outside 1..%d".formatted(steps, STEPS_MAX));
            }
            if (done < 0 || done >= steps) {
                throw new IllegalArgumentException("ramp has done %d of %d steps".formatted(done, steps));
            }
            if (lengthMillis < 1 || lengthMillis > Hold.DURATION_MAX_MILLIS || startMillis < 0) {
                throw new IllegalArgumentException("ramp from %d for %d ms".formatted(startMillis, lengthMillis));
            }
            if (from < 0 || from > TableMember.WEIGHT_MAX) {
                throw new IllegalArgumentException(
                        "ramp from ceiling %d is outside 0..%d".formatted(from, TableMember.WEIGHT_MAX));
            }
        }

        /** Returns the ceiling after the steps that are done, 1..weight: it begins with the part of one step. */
        int ceiling(int weight) {
            return Math.max(1, from + (int) ((long) (weight - from) * (done + 1) / (steps + 1)));
        }

        /** Returns when the next step is due. */
        long nextMillis() {
            return later(startMillis, (lengthMillis * (done + 1) + steps - 1) / steps);
        }

        /** Returns the ramp after all steps that are due; empty if it has ended. */
        Optional<Ramp> at(long millis) {
            Ramp ramp = this;
            while (ramp.nextMillis() <= millis) {
                if (ramp.done + 1 == steps) {
                    return Optional.empty();
                }
                ramp = new Ramp(startMillis, lengthMillis, steps, ramp.done + 1, from);
            }
            return Optional.of(ramp);
        }
    }

    /** Returns a later time; the end of all time if there is no such number. */
    static long later(long millis, long duration) {
        return millis > Long.MAX_VALUE - duration ? Long.MAX_VALUE : millis + duration;
    }

    /** Returns true if nothing is to become of the member. */
    boolean isEmpty() {
        return hold.isEmpty() && drain.isEmpty() && ramp.isEmpty();
    }

    /** Returns when the first of them is due; empty if there is none. */
    OptionalLong nextMillis() {
        long next = Math.min(
                hold.map(Hold::untilMillis).orElse(Long.MAX_VALUE),
                Math.min(
                        drain.map(DrainEnd::untilMillis).orElse(Long.MAX_VALUE),
                        ramp.map(Ramp::nextMillis).orElse(Long.MAX_VALUE)));
        return isEmpty() ? OptionalLong.empty() : OptionalLong.of(next);
    }

    MemberTimers withHold(Optional<Hold> other) {
        return new MemberTimers(other, drain, ramp);
    }

    MemberTimers withDrain(Optional<DrainEnd> other) {
        return new MemberTimers(hold, other, ramp);
    }

    MemberTimers withRamp(Optional<Ramp> other) {
        return new MemberTimers(hold, drain, other);
    }
}
