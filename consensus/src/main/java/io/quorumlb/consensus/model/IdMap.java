package io.quorumlb.consensus.model;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map by id that shares what it can with the map that it was made from: another value for one id among many
 * costs a few short arrays, and what differs between two versions is found at the cost of what differs. A tree of pages of
 * 32, each holding only what is there; equal maps have equal trees.
 *
 * @param <V> what is found by an id of 0 or more
 */
public final class IdMap<V> extends AbstractMap<Integer, V> implements SortedMap<Integer, V> {
    private static final int BITS = 5;
    private static final int MASK = (1 << BITS) - 1;
    private static final IdMap<?> EMPTY = new IdMap<>(IdPage.NONE, 0, 0);

    private final IdPage root;
    /** How many bits of an id are below the root's. */
    private final int shift;

    private final int size;

    private IdMap(IdPage root, int shift, int size) {
        this.root = root;
        this.shift = shift;
        this.size = size;
    }

    /** Returns the map without entries. */
    @SuppressWarnings("unchecked")
    public static <V> IdMap<V> empty() {
        return (IdMap<V>) EMPTY;
    }

    /** Returns a map with the same entries; the same map if it is of this kind. */
    public static <V> IdMap<V> of(SortedMap<Integer, V> map) {
        if (map instanceof IdMap<V> same) {
            return same;
        }
        IdMap<V> made = empty();
        for (Map.Entry<Integer, V> entry : map.entrySet()) {
            made = made.with(entry.getKey(), entry.getValue());
        }
        return made;
    }

    @SuppressWarnings("unchecked")
    private V value(Object slot) {
        return (V) slot;
    }

    private static IdPage page(@Nullable Object slot) {
        return slot == null ? IdPage.NONE : (IdPage) slot;
    }

    private @Nullable V find(int id) {
        if (id < 0 || id >>> shift > MASK) {
            return null;
        }
        IdPage page = root;
        for (int level = shift; level > 0; level -= BITS) {
            page = page(page.get(id >>> level & MASK));
        }
        Object found = page.get(id & MASK);
        return found == null ? null : value(found);
    }

    @Override
    public @Nullable V get(@Nullable Object id) {
        return id instanceof Integer number ? find(number) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object id) {
        return get(id) != null;
    }

    /** Returns this map with another value for an id, of 0 or more; this map if it has the very same value. */
    public IdMap<V> with(int id, V value) {
        if (id < 0) {
            throw new IllegalArgumentException("id %d: at least 0 expected".formatted(id));
        }
        V before = find(id);
        if (isSame(before, value)) {
            return this;
        }
        IdPage grown = root;
        int level = shift;
        while (id >>> level > MASK) {
            grown = size == 0 ? IdPage.NONE : IdPage.NONE.with(0, grown);
            level += BITS;
        }
        return new IdMap<>(put(grown, level, id, value), level, before == null ? size + 1 : size);
    }

    @SuppressWarnings("ReferenceEquality") // What is shared is found by identity; what is only equal costs a page.
    private static boolean isSame(@Nullable Object one, @Nullable Object other) {
        return one == other;
    }

    private static IdPage put(IdPage page, int level, int id, Object value) {
        int number = id >>> level & MASK;
        return page.with(number, level == 0 ? value : put(page(page.get(number)), level - BITS, id, value));
    }

    /** Returns this map without an id. */
    public IdMap<V> without(int id) {
        if (find(id) == null) {
            return this;
        }
        IdPage less = remove(root, shift, id);
        int level = shift;
        while (level > 0 && (less.present & ~1) == 0) {
            less = page(less.get(0));
            level -= BITS;
        }
        return new IdMap<>(less, level, size - 1);
    }

    private static IdPage remove(IdPage page, int level, int id) {
        int number = id >>> level & MASK;
        if (level == 0) {
            return page.without(number);
        }
        IdPage below = remove(page(page.get(number)), level - BITS, id);
        return below.present == 0 ? page.without(number) : page.with(number, below);
    }

    /** Returns the ids that only one of two maps has, or for which they have unequal values. */
    public SortedSet<Integer> changedSince(IdMap<V> before) {
        SortedSet<Integer> changed = new TreeSet<>();
        int level = Math.max(shift, before.shift);
        differences(before.lifted(level), lifted(level), level, 0, changed::add);
        return Collections.unmodifiableSortedSet(changed);
    }

    private IdPage lifted(int level) {
        IdPage lifted = root;
        for (int at = shift; at < level; at += BITS) {
            lifted = lifted.present == 0 ? IdPage.NONE : IdPage.NONE.with(0, lifted);
        }
        return lifted;
    }

    private static void differences(IdPage one, IdPage other, int level, int prefix, IntConsumer found) {
        if (isSame(one, other)) {
            return;
        }
        for (int left = one.present | other.present; left != 0; left &= left - 1) {
            int number = Integer.numberOfTrailingZeros(left);
            int id = prefix | number << level;
            Object mine = one.get(number);
            Object theirs = other.get(number);
            if (level > 0) {
                differences(page(mine), page(theirs), level - BITS, id, found);
            } else if (!isSame(mine, theirs) && (mine == null || !mine.equals(theirs))) {
                found.accept(id);
            }
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean isEmpty() {
        return size == 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (other instanceof IdMap<?> map) {
            return size == map.size && shift == map.shift && equal(root, map.root, shift);
        }
        return super.equals(other);
    }

    private static boolean equal(IdPage one, IdPage other, int level) {
        if (isSame(one, other)) {
            return true;
        }
        if (one.present != other.present) {
            return false;
        }
        for (int at = 0; at < one.slots.length; at++) {
            Object mine = one.slots[at];
            Object theirs = other.slots[at];
            boolean same = level > 0
                    ? equal(page(mine), page(theirs), level - BITS)
                    : isSame(mine, theirs) || mine.equals(theirs);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Override
    public void forEach(BiConsumer<? super Integer, ? super V> action) {
        each(root, shift, 0, action);
    }

    private void each(IdPage page, int level, int prefix, BiConsumer<? super Integer, ? super V> action) {
        int at = 0;
        for (int left = page.present; left != 0; left &= left - 1) {
            int id = prefix | Integer.numberOfTrailingZeros(left) << level;
            Object slot = page.slots[at++];
            if (level > 0) {
                each(page(slot), level - BITS, id, action);
            } else {
                action.accept(id, value(slot));
            }
        }
    }

    @Override
    public Set<Map.Entry<Integer, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<Integer, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /** Walks the tree in order of ids. */
    private final class Entries implements Iterator<Map.Entry<Integer, V>> {
        private final Deque<Place> path = new ArrayDeque<>();

        /** A page of the path, and what of it is still to come. */
        private static final class Place {
            final IdPage page;
            final int level;
            final int prefix;
            int left;

            Place(IdPage page, int level, int prefix) {
                this.page = page;
                this.level = level;
                this.prefix = prefix;
                this.left = page.present;
            }

            int take() {
                int number = Integer.numberOfTrailingZeros(left);
                left &= left - 1;
                return number;
            }
        }

        Entries() {
            path.push(new Place(root, shift, 0));
        }

        @Override
        public boolean hasNext() {
            while (!path.isEmpty() && path.peek().left == 0) {
                path.pop();
            }
            return !path.isEmpty();
        }

        @Override
        public Map.Entry<Integer, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Place place = path.element();
            while (place.level > 0) {
                int number = place.take();
                place = new Place(
                        page(place.page.get(number)), place.level - BITS, place.prefix | number << place.level);
                path.push(place);
            }
            int number = place.take();
            return new SimpleImmutableEntry<>(place.prefix | number, value(place.page.slots[place.page.find(number)]));
        }
    }

    @Override
    public @Nullable Comparator<? super Integer> comparator() {
        return null;
    }

    @Override
    public Integer firstKey() {
        return entrySet().iterator().next().getKey();
    }

    @Override
    public Integer lastKey() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        IdPage page = root;
        int id = 0;
        for (int level = shift; ; level -= BITS) {
            int number = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(page.present);
            id |= number << level;
            if (level == 0) {
                return id;
            }
            page = page(page.get(number));
        }
    }

    @Override
    public SortedMap<Integer, V> subMap(Integer from, Integer to) {
        return Collections.unmodifiableSortedMap(sorted().subMap(from, to));
    }

    @Override
    public SortedMap<Integer, V> headMap(Integer to) {
        return Collections.unmodifiableSortedMap(sorted().headMap(to));
    }

    @Override
    public SortedMap<Integer, V> tailMap(Integer from) {
        return Collections.unmodifiableSortedMap(sorted().tailMap(from));
    }

    private SortedMap<Integer, V> sorted() {
        return new TreeMap<>(this);
    }
}
