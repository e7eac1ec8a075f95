package io.quorumlb.node.core;

import java.time.Duration;

/** What happens again and again, spread over nodes and objects. */
final class Rhythm {
    private Rhythm() {}

    /**
     * The first moment after now on a grid of the period, shifted by a phase that is fixed for the name: nodes and objects
     * are spread, and what comes late does not delay what comes after it.
     */
    static MonotonicTime next(MonotonicTime now, String name, Duration period) {
        long nanos = period.toNanos();
        long phase = Math.floorMod(mixed(name), nanos);
        long sincePhase = Math.floorMod(now.nanos() - phase, nanos);
        return now.plus(Duration.ofNanos(nanos - sincePhase));
    }

    /** FNV-1a, 64 bits, and a final mix. */
    private static long mixed(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        return hash ^ (hash >>> 33);
    }
}
