package io.quorumlb.ovs.openflow;

import java.time.Duration;

/** The moment by which a call must have ended, on the monotonic clock. */
final class Deadline {
    private final Duration limit;
    private final long end;

    private Deadline(Duration limit, long end) {
        this.limit = limit;
        this.end = end;
    }

    static Deadline in(Duration limit) {
        return new Deadline(limit, System.nanoTime() + limit.toNanos());
    }

    /** Returns the nanoseconds left, zero if it has passed. */
    long remainingNanos() {
        return Math.max(0, end - System.nanoTime());
    }

    OpenFlowException missedBy(String what) {
        return new OpenFlowException(
                OpenFlowException.Kind.TIMEOUT, what + " was not done within " + limit.toMillis() + " ms");
    }
}
