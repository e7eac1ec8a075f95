package io.quorumlb.node.gossip;

import java.time.Duration;

/**
 * How patient a link is.
 *
 * @param connect until an attempt that got no answer is given up. A lost SYN is sent again after a second: a fresh
 *     attempt is sooner
 * @param period from one question whether the peer lives to the next
 * @param answer until a peer that does not answer is taken for lost
 * @param backoff before the next attempt
 * @param propose until a forwarded proposal without an answer has an unknown outcome
 */
record LinkTimes(Duration connect, Duration period, Duration answer, Duration backoff, Duration propose) {
    /** Hears a returned peer within a second, and misses a dead one within two. */
    static final LinkTimes PRODUCT = new LinkTimes(
            Duration.ofMillis(750),
            Duration.ofMillis(500),
            Duration.ofMillis(1500),
            Duration.ofMillis(200),
            Duration.ofSeconds(4));
}
