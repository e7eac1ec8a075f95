package io.quorumlb.consensus.raft;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Wakes those who wait for something to become true. */
final class Bell {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    synchronized void ring() {
        notifyAll();
    }

    /** Returns once the condition holds; it is tried after every ring. */
    synchronized void await(BooleanSupplier condition, Supplier<String> otherwise) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("not within %s: %s".formatted(DEADLINE, otherwise.get()));
            }
            wait(left);
        }
    }
}
