package io.quorumlb.ovs.pipeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A range of ports as aligned blocks, so that flows can match it by masks: the fewest blocks whose size is a power of
 * two and whose first port is a multiple of the size. They do not overlap; a range needs 30 at most.
 */
final class PortBlocks {
    private static final int PORT_MAX = 0xffff;

    /**
     * The ports that are equal to one under a mask.
     *
     * @param port the first of them, 0..65535
     * @param mask leading ones, then zeros: 0xffff is one port
     */
    record Block(int port, int mask) {}

    private PortBlocks() {}

    /**
     * Returns the blocks in rising order.
     *
     * @param first lowest port, 0..65535
     * @param last highest port, first..65535
     */
    static List<Block> of(int first, int last) {
        if (first < 0 || last < first || last > PORT_MAX) {
            throw new IllegalArgumentException("ports %d-%d must rise within 0..%d".formatted(first, last, PORT_MAX));
        }
        List<Block> blocks = new ArrayList<>();
        int next = first;
        while (next <= last) {
            int aligned = next == 0 ? PORT_MAX + 1 : Integer.lowestOneBit(next);
            int size = Math.min(aligned, Integer.highestOneBit(last - next + 1));
            blocks.add(new Block(next, PORT_MAX + 1 - size));
            next += size;
        }
        return Collections.unmodifiableList(blocks);
    }
}
