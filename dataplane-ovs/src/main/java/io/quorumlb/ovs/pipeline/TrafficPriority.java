package io.quorumlb.ovs.pipeline;

/** Which of the rows that take a packet has it: the one that asks for more. */
final class TrafficPriority {
    /** Packets without the ports they should have. */
    static final int MALFORMED = 9000;

    /** One port. */
    static final int SINGLE = 8000;

    /** A range of ports that lies in no other; one more for each range around it. */
    static final int RANGE = 1000;

    /** All ports of a transport. */
    static final int ALL_PORTS = 200;

    /** Every packet. */
    static final int EVERYTHING = 100;

    private TrafficPriority() {}

    /**
     * Returns the priority of a range.
     *
     * @param depth number of ranges it lies in, 0..6999
     * @throws IllegalArgumentException if there are more
     */
    static int range(int depth) {
        if (depth < 0 || depth >= SINGLE - RANGE) {
            throw new IllegalArgumentException(
                    "a range of ports lies in %d others, at most %d can be told".formatted(depth, SINGLE - RANGE - 1));
        }
        return RANGE + depth;
    }
}
