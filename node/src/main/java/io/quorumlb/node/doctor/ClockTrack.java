package io.quorumlb.node.doctor;

import io.quorumlb.node.doctor.Surroundings.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The wall clock beside the monotonic one, look by look.
 *
 * @param last the last look; empty before the first
 * @param step the last step; empty if there was none
 */
record ClockTrack(Optional<Look> last, Optional<Step> step) {
    /** No clock is slewed by so much between two looks. */
    static final Duration STEP_MIN = Duration.ofMillis(500);

    static final ClockTrack START = new ClockTrack(Optional.empty(), Optional.empty());

    /**
     * Both clocks at once.
     *
     * @param wall by the wall clock
     * @param nanos by the monotonic one, in nanoseconds
     */
    record Look(Instant wall, long nanos) {}

    /** Returns the track after a look. */
    ClockTrack after(Look look) {
        Optional<Step> stepped = last.map(before -> new Step(
                        look.wall(),
                        Duration.between(before.wall(), look.wall()).minusNanos(look.nanos() - before.nanos())))
                .filter(step -> step.by().abs().compareTo(STEP_MIN) > 0);
        return new ClockTrack(Optional.of(look), stepped.or(() -> step));
    }
}
