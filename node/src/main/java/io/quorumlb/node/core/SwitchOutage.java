package io.quorumlb.node.core;

import java.time.Duration;
import java.util.Optional;

/**
 * How often the switch went away, and what it cost.
 *
 * @param losses how often what it held became unknown since the start; whatever was learnt of a switch before, such as
 *     how it hashes, is void when this has changed
 * @param restarts how often it was found empty afterwards
 * @param goneSince when it was seen to be gone; empty if it is there and proven again
 * @param empty true if it was found empty since it was gone
 * @param last how long the last restart kept it from forwarding: seen gone to proven; zero if there was none
 */
record SwitchOutage(long losses, long restarts, Optional<MonotonicTime> goneSince, boolean empty, Duration last) {
    private static final Duration FRESH = Duration.ofSeconds(10);

    static SwitchOutage none() {
        return new SwitchOutage(0, 0, Optional.empty(), false, Duration.ZERO);
    }

    /** Returns true if it went away a moment ago and is not proven yet. */
    boolean isFresh(MonotonicTime now) {
        return goneSince.filter(since -> now.since(since).compareTo(FRESH) < 0).isPresent();
    }

    /** It is gone, or still gone. */
    SwitchOutage gone(MonotonicTime now) {
        return goneSince.isPresent() ? this : new SwitchOutage(losses + 1, restarts, Optional.of(now), false, last);
    }

    /** It was found empty. */
    SwitchOutage foundEmpty() {
        return new SwitchOutage(losses, restarts + 1, goneSince, true, last);
    }

    /** It is proven again. */
    SwitchOutage over(MonotonicTime now) {
        Duration took = goneSince.map(now::since).orElse(Duration.ZERO);
        return new SwitchOutage(losses, restarts, Optional.empty(), false, empty ? took : last);
    }
}
