package io.quorumlb.ovs.flow;

/**
 * A bound of packets that flows may share; what is above it is dropped.
 *
 * @param id its number in the switch, 1..65535
 * @param rate packets a second, at least 1
 * @param burst packets that may come at once after a pause, at least 1
 */
public record Meter(int id, int rate, int burst) {
    /** Checks the ranges. */
    public Meter {
        if (id < 1 || id > 0xffff) {
            throw new IllegalArgumentException("meter: id must be 1..65535, is " + id);
        }
        if (rate < 1 || burst < 1) {
            throw new IllegalArgumentException(
                    "meter: rate and burst must be at least 1, are %d and %d".formatted(rate, burst));
        }
    }
}
