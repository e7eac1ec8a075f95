package io.quorumlb.node.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.node.doctor.ClockTrack.Look;
import io.quorumlb.node.doctor.Surroundings.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockTrackTest {
    private static final Instant START = Instant.parse("2030-01-02T03:04:05Z");

    private static Look look(long wallMillis, long monotonicMillis) {
        return new Look(
                START.plusMillis(wallMillis), Duration.ofMillis(monotonicMillis).toNanos());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 500, -500, 499})
    void aClockThatIsSlewedHasNotStepped(long off) {
        ClockTrack track = ClockTrack.START;
        // Each look is compared with the one before: slewing adds up to nothing.
        for (int second = 0; second < 100; second++) {
            track = track.after(look(second * (1000L + off), second * 1000L));
        }
        assertEquals(Optional.empty(), track.step());
    }

    @ParameterizedTest
    @ValueSource(longs = {501, -501, 3_600_000, -3_600_000})
    void aStepIsSeenOnceAndRemembered(long by) {
        ClockTrack track = ClockTrack.START.after(look(0, 0)).after(look(1000, 1000));
        track = track.after(look(2000 + by, 2000));
        Optional<Step> seen = Optional.of(new Step(START.plusMillis(2000 + by), Duration.ofMillis(by)));
        assertEquals(seen, track.step());
        assertEquals(seen, track.after(look(3000 + by, 3000)).step());
    }

    @Test
    void aProcessThatStoodStillHasSeenNoStep() {
        ClockTrack track = ClockTrack.START.after(look(0, 0)).after(look(60_000, 60_000));
        assertEquals(Optional.empty(), track.step());
    }

    @Test
    void aWatchSeesAStepWhenItIsAsked() {
        var wall = new AtomicReference<>(START);
        var nanos = new AtomicLong();
        try (var watch = ClockWatch.start(wall::get, nanos::get)) {
            assertEquals(Optional.empty(), watch.step());
            wall.set(START.plusSeconds(30));
            assertEquals(Optional.of(new Step(START.plusSeconds(30), Duration.ofSeconds(30))), watch.step());
        }
    }
}
