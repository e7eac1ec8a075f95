package io.quorumlb.node.doctor;

import io.quorumlb.node.doctor.ClockTrack.Look;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Looks at both clocks every second, for as long as it is open. */
final class ClockWatch implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    /** Whoever stood still between the two clocks has read nothing. */
    private static final Duration READING_MAX = Duration.ofMillis(100);

    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final Thread thread = Thread.ofVirtual().name("clock-watch").unstarted(this::run);
    private ClockTrack track = ClockTrack.START;

    private ClockWatch(InstantSource wall, LongSupplier nanoTime) {
        this.wall = wall;
        this.nanoTime = nanoTime;
    }

    /**
     * Begins to look.
     *
     * @param wall the wall clock
     * @param nanoTime the monotonic one, in nanoseconds
     */
    static ClockWatch start(InstantSource wall, LongSupplier nanoTime) {
        var watch = new ClockWatch(wall, nanoTime);
        var _ = watch.look();
        watch.thread.start();
        return watch;
    }

    /** Looks now and returns what was seen so far. */
    synchronized ClockTrack look() {
        long before = nanoTime.getAsLong();
        var look = new Look(wall.instant(), nanoTime.getAsLong());
        if (look.nanos() - before <= READING_MAX.toNanos()) {
            track = track.after(look);
        }
        return track;
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            var _ = look();
        }
    }

    /** Returns the last step that was seen. */
    Optional<Surroundings.Step> step() {
        return look().step();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
