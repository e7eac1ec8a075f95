package io.quorumlb.ovs.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A tree map is the reference. */
class FlowMapTest {
    private static final int SLOTS = 40;

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void isAsATreeMap(long seed) {
        var random = new Random(seed);
        SortedMap<FlowKey, Integer> tree = random(random);
        FlowMap<Integer> map = FlowMap.of(tree);
        same(tree, map);
        assertSame(map, FlowMap.of(map));

        SortedMap<FlowKey, Integer> odd = new TreeMap<>(tree);
        odd.values().removeIf(value -> value % 2 == 0);
        same(odd, map.filtered(value -> value % 2 != 0));

        SortedMap<FlowKey, Integer> negative = new TreeMap<>(tree);
        negative.replaceAll((_, value) -> -value);
        same(negative, map.mapped(value -> -value));

        SortedMap<FlowKey, Integer> other = random(random);
        SortedMap<FlowKey, Integer> both = new TreeMap<>(tree);
        both.putAll(other);
        same(both, map.with(FlowMap.of(other)));

        FlowKey from = key(random);
        FlowKey to = key(random);
        same(tree.headMap(to), map.headMap(to));
        same(tree.tailMap(from), map.tailMap(from));
        if (from.compareTo(to) <= 0) {
            same(tree.subMap(from, to), map.subMap(from, to));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void sortsWhatKnowsItsKey(long seed) {
        var random = new Random(seed);
        SortedMap<FlowKey, Flow> tree = new TreeMap<>();
        random(random).forEach((key, value) -> tree.put(key, new Flow(key, value, List.of())));
        List<Flow> shuffled = new ArrayList<>(tree.values());
        Collections.shuffle(shuffled, random);
        same(tree, FlowMap.of(shuffled, Flow::key));
    }

    @Test
    void keepsTheLastOfSeveralWithOneKey() {
        var key = new FlowKey(1, 1, Match.of());
        var first = new Flow(key, 1, List.of());
        var last = new Flow(key, 2, List.of());
        assertEquals(
                List.of(last),
                new ArrayList<>(FlowMap.of(List.of(first, last), Flow::key).values()));
    }

    @Test
    void anEmptyOneHasNoFirst() {
        assertThrows(NoSuchElementException.class, () -> FlowMap.empty().firstKey());
        assertThrows(NoSuchElementException.class, () -> FlowMap.empty().lastKey());
        assertThrows(
                NoSuchElementException.class,
                () -> FlowMap.empty().entrySet().iterator().next());
    }

    private static <V> void same(SortedMap<FlowKey, V> expected, FlowMap<V> map) {
        assertEquals(expected, map);
        assertEquals(map, expected);
        assertEquals(expected.hashCode(), map.hashCode());
        assertEquals(new ArrayList<>(expected.keySet()), new ArrayList<>(map.keySet()));
        assertEquals(new ArrayList<>(expected.values()), new ArrayList<>(map.values()));
        assertEquals(new ArrayList<>(expected.entrySet()), new ArrayList<>(map.entrySet()));
        List<FlowKey> visited = new ArrayList<>();
        map.forEach((key, value) -> {
            visited.add(key);
            assertSame(value, map.get(key));
        });
        assertEquals(new ArrayList<>(expected.keySet()), visited);
        for (int slot = 0; slot < SLOTS; slot++) {
            FlowKey key = key(slot);
            assertEquals(expected.get(key), map.get(key));
            assertEquals(expected.containsKey(key), map.containsKey(key));
            assertEquals(expected.containsKey(key), map.keySet().contains(key));
        }
        if (!expected.isEmpty()) {
            assertEquals(expected.firstKey(), map.firstKey());
            assertEquals(expected.lastKey(), map.lastKey());
        }
    }

    private static SortedMap<FlowKey, Integer> random(Random random) {
        SortedMap<FlowKey, Integer> tree = new TreeMap<>();
        for (int i = random.nextInt(SLOTS); i > 0; i--) {
            tree.put(key(random), random.nextInt(100));
        }
        return tree;
    }

    private static FlowKey key(Random random) {
        return key(random.nextInt(SLOTS));
    }

    private static FlowKey key(int slot) {
        return new FlowKey(slot % 3, slot % 2, Match.of().with(Field.REG1, slot));
    }
}
