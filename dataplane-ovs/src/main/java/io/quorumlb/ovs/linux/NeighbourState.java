package io.quorumlb.ovs.linux;

/** What the kernel thinks of a neighbour (linux/neighbour.h). */
public enum NeighbourState {
    NONE(0x00),
    INCOMPLETE(0x01),
    REACHABLE(0x02),
    STALE(0x04),
    DELAY(0x08),
    PROBE(0x10),
    FAILED(0x20),
    NOARP(0x40),
    PERMANENT(0x80);

    private final int bits;

    NeighbourState(int bits) {
        this.bits = bits;
    }

    /** Returns the state of the kernel's bits; bits of no known state give {@link #NONE}. */
    static NeighbourState of(int bits) {
        for (NeighbourState state : values()) {
            if (state.bits == bits) {
                return state;
            }
        }
        return NONE;
    }

    /** Returns the kernel's bits. */
    int bits() {
        return bits;
    }

    /** Returns whether the kernel sends packets to the address it knows, sure of it or not. */
    public boolean isUsable() {
        return switch (this) {
            case REACHABLE, STALE, DELAY, PROBE, NOARP, PERMANENT -> true;
            case NONE, INCOMPLETE, FAILED -> false;
        };
    }
}
