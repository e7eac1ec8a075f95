package io.quorumlb.node.core;

import java.time.Duration;

/**
 * A moment on this process's own clock that never steps. It means nothing to another process.
 *
 * @param nanos nanoseconds since an arbitrary moment; only differences count
 */
public record MonotonicTime(long nanos) {
    /** Returns this moment moved by the duration. */
    public MonotonicTime plus(Duration duration) {
        return new MonotonicTime(nanos + duration.toNanos());
    }

    /** Returns the time from the other moment to this one; negative if the other is later. */
    public Duration since(MonotonicTime other) {
        return Duration.ofNanos(nanos - other.nanos);
    }

    /** Returns true if this moment is the other one or later. */
    public boolean reached(MonotonicTime other) {
        return nanos - other.nanos >= 0;
    }
}
