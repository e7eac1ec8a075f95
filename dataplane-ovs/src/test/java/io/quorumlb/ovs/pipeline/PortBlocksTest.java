package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.pipeline.PortBlocks.Block;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortBlocksTest {
    private static final int PORTS = 1 << 16;

    @Test
    void someRangesByHand() {
        assertEquals(List.of(new Block(80, 0xffff)), PortBlocks.of(80, 80));
        assertEquals(List.of(new Block(8000, 0xffc0), new Block(8064, 0xffff)), PortBlocks.of(8000, 8064));
        assertEquals(List.of(new Block(0, 0)), PortBlocks.of(0, 65535));
        assertEquals(16, PortBlocks.of(1, 65535).size());
        assertEquals(30, PortBlocks.of(1, 65534).size(), "the worst of all");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyPortOfTheRangeIsInOneBlockAndNoOtherIs(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            int first = random.nextInt(PORTS);
            int last = first + random.nextInt(Math.min(PORTS - first, 1 << random.nextInt(1, 17)));
            List<Block> blocks = PortBlocks.of(first, last);
            int[] found = new int[PORTS];
            for (Block block : blocks) {
                IntStream.range(0, PORTS)
                        .filter(port -> (port & block.mask()) == block.port())
                        .forEach(port -> found[port]++);
            }
            for (int port = 0; port < PORTS; port++) {
                assertEquals(port >= first && port <= last ? 1 : 0, found[port], first + "-" + last + ": " + port);
            }
            assertEquals(fewest(first, last, 0, PORTS), blocks.size(), first + "-" + last);
            assertTrue(blocks.size() <= 30, blocks::toString);
        }
    }

    /** The slow way: a block that lies in the range is taken whole, one that lies across is halved. */
    private static int fewest(int first, int last, int start, int size) {
        if (last < start || first >= start + size) {
            return 0;
        }
        if (first <= start && start + size - 1 <= last) {
            return 1;
        }
        return fewest(first, last, start, size / 2) + fewest(first, last, start + size / 2, size / 2);
    }

    @Test
    void refusesWhatIsNoRange() {
        assertThrows(IllegalArgumentException.class, () -> PortBlocks.of(2, 1));
        assertThrows(IllegalArgumentException.class, () -> PortBlocks.of(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> PortBlocks.of(0, 65536));
    }
}
