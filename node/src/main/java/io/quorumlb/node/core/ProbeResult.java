package io.quorumlb.node.core;

import io.quorumlb.consensus.pool.Observation;

/**
 * What one probe found.
 *
 * @param success true if the member answered as its monitor wants, in time
 * @param detail for people, for example {@code 200 in 2 ms} or {@code no answer within 500 ms}
 */
public record ProbeResult(boolean success, String detail) {
    /** Returns true if it is a success that nothing shows, because silence counts as one. */
    boolean weak() {
        return detail.startsWith(Observation.WEAK);
    }
}
