package io.quorumlb.node.shell;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells whether the process stood still: a thread that has nothing to do but note the time misses it only if nothing ran, be
 * it that the process was stopped, its machine slept or the heap was swept. A loop that is busy looks the same from outside,
 * but its process goes on hearing the world.
 */
final class Heartbeat {
    private static final Duration BEAT = Duration.ofMillis(50);

    private final LongSupplier nanos;
    private long last;
    private long longest;

    /**
     * Makes one that does not beat yet.
     *
     * @param nanos time that goes on while the process stands still, in nanoseconds from any beginning
     */
    Heartbeat(LongSupplier nanos) {
        this.nanos = nanos;
        this.last = nanos.getAsLong();
    }

    /** Begins to beat; returns the thread that does, until it is interrupted. */
    Thread start() {
        beat();
        return Thread.ofPlatform().daemon().name("heartbeat").start(() -> {
            try {
                while (true) {
                    Thread.sleep(BEAT);
                    beat();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    synchronized void beat() {
        long now = nanos.getAsLong();
        longest = Math.max(longest, now - last);
        last = now;
    }

    /** Returns the longest time without a beat since this was asked last, also one that has not ended yet. */
    synchronized Duration longestGap() {
        // Who asks is alive, too: a gap is told once.
        beat();
        Duration gap = Duration.ofNanos(longest);
        longest = 0;
        return gap;
    }
}
