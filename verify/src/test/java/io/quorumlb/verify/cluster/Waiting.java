package io.quorumlb.verify.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for facts by asking again until a deadline, and says how long it took. */
final class Waiting {
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private final long start = System.nanoTime();

    private Waiting() {}

    /** Starts the clock. */
    static Waiting start() {
        return new Waiting();
    }

    /** Returns the time since the start. */
    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /**
     * Asks until there is nothing more to complain about.
     *
     * @param what the fact waited for, for the message
     * @param deadline limit since the start
     * @param complaint what is not so yet, empty once it is so; a failing question is a complaint too
     * @return time from the start until the first question that was answered well
     * @throws AssertionError at the deadline, with the last complaint
     */
    Duration until(String what, Duration deadline, Supplier<Optional<String>> complaint) {
        while (true) {
            Optional<String> last = ask(complaint);
            Duration took = elapsed();
            if (last.isEmpty()) {
                if (took.compareTo(deadline) > 0) {
                    throw new AssertionError(
                            "%s: took %d ms, limit %d ms".formatted(what, took.toMillis(), deadline.toMillis()));
                }
                return took;
            }
            if (took.compareTo(deadline) > 0) {
                throw new AssertionError("%s: not so after %d ms: %s".formatted(what, took.toMillis(), last.get()));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Asserts that there is nothing to complain about, again and again until the time since the start has passed. */
    void always(String what, Duration time, Supplier<Optional<String>> complaint) {
        do {
            Optional<String> wrong = ask(complaint);
            if (wrong.isPresent()) {
                throw new AssertionError(
                        "%s: not so after %d ms: %s".formatted(what, elapsed().toMillis(), wrong.get()));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        } while (elapsed().compareTo(time) < 0);
    }

    private static Optional<String> ask(Supplier<Optional<String>> complaint) {
        try {
            return complaint.get();
        } catch (RuntimeException e) {
            // A node that is paused, dead or starting answers later.
            return Optional.of(e.toString());
        }
    }
}
