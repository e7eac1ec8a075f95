package io.quorumlb.lbctl;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Tells how far long work is, every two seconds; short work says nothing. Safe for several threads. */
final class Progress {
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final Console console;
    private final String what;
    private final AtomicLong all = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private Budget silence = new Budget(PERIOD);

    /** Creates the progress of some work, for example {@code tables built}. */
    Progress(Console console, String what) {
        this.console = console;
        this.what = what;
    }

    /** Adds to what is to be done. */
    void expect(long more) {
        all.addAndGet(more);
    }

    /** Notes that one more is done. */
    void advance() {
        long so = done.incrementAndGet();
        synchronized (this) {
            if (!silence.remaining().isPositive()) {
                silence = new Budget(PERIOD);
                console.say("%s: %d of %d".formatted(what, so, all.get()));
            }
        }
    }
}
