package io.quorumlb.verify.contract;

import java.time.Duration;

/** Time that only a test moves. */
public interface VirtualTime {
    /** Returns nanoseconds since the start. */
    long nowNanos();

    /**
     * Runs a task later, never inside this call.
     *
     * @param delay not negative; tasks that are due at one time run in the order they were given
     */
    void after(Duration delay, Runnable task);
}
