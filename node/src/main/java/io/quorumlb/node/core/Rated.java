package io.quorumlb.node.core;

import io.quorumlb.ovs.pipeline.Count;

/**
 * A count and how fast it grows.
 *
 * @param total since the rows of the switch were made, or since the start of the process if they are older
 * @param packetsPerSecond over the last two readings that lie a second or more apart; 0 while there is one only
 * @param bytesPerSecond likewise
 */
public record Rated(Count total, double packetsPerSecond, double bytesPerSecond) {
    /** Nothing. */
    static final Rated ZERO = new Rated(Count.ZERO, 0, 0);

    /** Returns both together. */
    Rated plus(Rated other) {
        return new Rated(
                total.plus(other.total),
                packetsPerSecond + other.packetsPerSecond,
                bytesPerSecond + other.bytesPerSecond);
    }
}
