package io.quorumlb.consensus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A map by id, beside a {@link TreeMap} that is changed in the same way. */
class IdMapTest {
    private static final int STEPS = 3000;

    /** Ids below the bound: one page, several levels, and the whole range with its holes. */
    @ParameterizedTest
    @ValueSource(ints = {20, 40, 1500, 40_000, Integer.MAX_VALUE})
    void isWhatATreeMapIs(int bound) {
        var random = new SplittableRandom(bound);
        IdMap<String> map = IdMap.empty();
        SortedMap<Integer, String> expected = new TreeMap<>();
        List<Integer> known = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            IdMap<String> before = map;
            SortedMap<Integer, String> then = new TreeMap<>(expected);
            for (int change = random.nextInt(4); change >= 0; change--) {
                int id = known.isEmpty() || random.nextBoolean()
                        ? random.nextInt(bound)
                        : known.get(random.nextInt(known.size()));
                // More goes than comes in the second half: the tree grows, and becomes lower again.
                if (random.nextInt(STEPS) < step) {
                    map = map.without(id);
                    expected.remove(id);
                } else {
                    String value = "v" + random.nextInt(3);
                    map = map.with(id, value);
                    expected.put(id, value);
                    known.add(id);
                }
            }
            assertEquals(differences(then, expected), map.changedSince(before));
            assertEquals(differences(expected, then), before.changedSince(map));
            if (step % 50 == 0) {
                checkSame(expected, map, random.nextInt(bound));
                assertEquals(then, before, "an older version stays as it was");
            }
        }
    }

    private static void checkSame(SortedMap<Integer, String> expected, IdMap<String> map, int somewhere) {
        assertEquals(expected, map);
        assertEquals(map, expected);
        assertEquals(expected.hashCode(), map.hashCode());
        assertEquals(expected.size(), map.size());
        assertEquals(List.copyOf(expected.entrySet()), List.copyOf(map.entrySet()));
        List<Integer> visited = new ArrayList<>();
        map.forEach((id, value) -> {
            assertEquals(expected.get(id), value);
            visited.add(id);
        });
        assertEquals(List.copyOf(expected.keySet()), visited);
        assertEquals(expected.get(somewhere), map.get(somewhere));
        assertEquals(expected.headMap(somewhere), map.headMap(somewhere));
        assertEquals(expected.tailMap(somewhere), map.tailMap(somewhere));
        if (!expected.isEmpty()) {
            assertEquals(expected.firstKey(), map.firstKey());
            assertEquals(expected.lastKey(), map.lastKey());
        }
        // Another way to the same entries: the trees must be equal, whatever the ids were that have come and gone.
        assertEquals(IdMap.of(expected), map);
    }

    private static SortedSet<Integer> differences(SortedMap<Integer, String> one, SortedMap<Integer, String> other) {
        SortedSet<Integer> ids = new TreeSet<>(one.keySet());
        ids.addAll(other.keySet());
        ids.removeIf(id -> one.getOrDefault(id, "").equals(other.getOrDefault(id, "")));
        return ids;
    }

    @Test
    void whatChangesNothingIsTheSameMap() {
        String value = "seven";
        IdMap<String> map = IdMap.<String>empty().with(7, value);
        assertSame(map, map.without(8));
        assertSame(map, IdMap.of(map));
        assertSame(map, map.with(7, value));
        assertEquals(IdMap.empty(), map.without(7));
        assertNotEquals(map, map.with(7, "another"));
    }

    @Test
    void nothingIsFoundWhereNothingCanBe() {
        IdMap<String> map = IdMap.<String>empty().with(0, "zero");
        assertNull(map.get(-1));
        assertNull(map.get(Integer.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> map.with(-1, "below"));
        assertThrows(UnsupportedOperationException.class, () -> map.put(1, "one"));
        assertThrows(NoSuchElementException.class, () -> IdMap.empty().firstKey());
        assertThrows(NoSuchElementException.class, () -> IdMap.empty().lastKey());
    }
}
