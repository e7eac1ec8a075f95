package io.quorumlb.ovs.pipeline;

/**
 * How many packets, and how many bytes in them.
 *
 * @param packets 0 or more
 * @param bytes 0 or more; with the Ethernet header, without the check sequence
 */
public record Count(long packets, long bytes) {
    /** Nothing. */
    public static final Count ZERO = new Count(0, 0);

    /** Returns both together. */
    public Count plus(Count other) {
        return new Count(packets + other.packets, bytes + other.bytes);
    }

    /** Returns what came after the earlier one, which is nowhere larger. */
    public Count since(Count earlier) {
        return new Count(packets - earlier.packets, bytes - earlier.bytes);
    }
}
