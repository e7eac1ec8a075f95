package io.quorumlb.ovs.flow;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map by flow key in two arrays: a switch of a hundred thousand flows is gone through in about a millisecond, and
 * is copied without a comparison.
 *
 * @param <V> what is known of a flow
 */
public final class FlowMap<V> extends AbstractMap<FlowKey, V> implements SortedMap<FlowKey, V> {
    private static final FlowMap<?> EMPTY = new FlowMap<>(new FlowKey[0], new Object[0]);

    private final FlowKey[] keys;
    /** Beside the keys; each is a V. */
    private final Object[] values;

    private FlowMap(FlowKey[] keys, Object[] values) {
        this.keys = keys;
        this.values = values;
    }

    /** Returns the map without flows. */
    @SuppressWarnings("unchecked")
    public static <V> FlowMap<V> empty() {
        return (FlowMap<V>) EMPTY;
    }

    /** Returns a map with the same entries; the same map if it is of this kind. */
    public static <V> FlowMap<V> of(SortedMap<FlowKey, V> map) {
        if (map instanceof FlowMap<V> same) {
            return same;
        }
        return new FlowMap<>(map.keySet().toArray(new FlowKey[0]), map.values().toArray());
    }

    /** Returns a map of values by their own keys; of several with one key the last. Quick if they are nearly in order. */
    public static <V> FlowMap<V> of(Collection<V> values, Function<V, FlowKey> key) {
        List<V> sorted = new ArrayList<>(values);
        sorted.sort(Comparator.comparing(key));
        FlowKey[] keys = new FlowKey[sorted.size()];
        Object[] beside = new Object[keys.length];
        int count = 0;
        for (V value : sorted) {
            FlowKey own = key.apply(value);
            count -= count > 0 && keys[count - 1].equals(own) ? 1 : 0;
            keys[count] = own;
            beside[count++] = value;
        }
        return new FlowMap<>(Arrays.copyOf(keys, count), Arrays.copyOf(beside, count));
    }

    @SuppressWarnings("unchecked")
    private V value(int at) {
        return (V) values[at];
    }

    /** Returns another map of the same flows. */
    public <W> FlowMap<W> mapped(Function<V, W> function) {
        Object[] others = new Object[keys.length];
        for (int i = 0; i < others.length; i++) {
            others[i] = function.apply(value(i));
        }
        return new FlowMap<>(keys, others);
    }

    /** Returns the entries whose values pass. */
    public FlowMap<V> filtered(Predicate<V> passes) {
        FlowKey[] left = new FlowKey[keys.length];
        Object[] beside = new Object[keys.length];
        int count = 0;
        for (int i = 0; i < keys.length; i++) {
            if (passes.test(value(i))) {
                left[count] = keys[i];
                beside[count++] = values[i];
            }
        }
        return count == keys.length ? this : new FlowMap<>(Arrays.copyOf(left, count), Arrays.copyOf(beside, count));
    }

    /** Returns the entries of both; where both have one, the other's. */
    public FlowMap<V> with(FlowMap<V> other) {
        FlowKey[] all = new FlowKey[keys.length + other.keys.length];
        Object[] beside = new Object[all.length];
        int count = 0;
        int mine = 0;
        for (int theirs = 0; theirs < other.keys.length; theirs++) {
            int before = placeFrom(mine, other.keys[theirs]);
            int end = before < 0 ? -before - 1 : before;
            System.arraycopy(keys, mine, all, count, end - mine);
            System.arraycopy(values, mine, beside, count, end - mine);
            count += end - mine;
            all[count] = other.keys[theirs];
            beside[count++] = other.values[theirs];
            mine = before < 0 ? end : end + 1;
        }
        System.arraycopy(keys, mine, all, count, keys.length - mine);
        System.arraycopy(values, mine, beside, count, keys.length - mine);
        count += keys.length - mine;
        return new FlowMap<>(Arrays.copyOf(all, count), Arrays.copyOf(beside, count));
    }

    /**
     * Returns the place of a key that is not before a place, or -1 less where it would be. Looks ahead in longer and longer
     * leaps, so that few keys find theirs among many and many find theirs near by.
     */
    private int placeFrom(int from, FlowKey key) {
        int low = from;
        int leap = 1;
        while (low + leap < keys.length && keys[low + leap].compareTo(key) < 0) {
            low += leap;
            leap *= 2;
        }
        return Arrays.binarySearch(keys, low, Math.min(low + leap + 1, keys.length), key);
    }

    /** Returns the place of a key, or -1 less where it would be. */
    private int place(FlowKey key) {
        return Arrays.binarySearch(keys, key);
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int at = key instanceof FlowKey wanted ? place(wanted) : -1;
        return at < 0 ? null : value(at);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof FlowKey wanted && place(wanted) >= 0;
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public void forEach(BiConsumer<? super FlowKey, ? super V> action) {
        for (int i = 0; i < keys.length; i++) {
            action.accept(keys[i], value(i));
        }
    }

    @Override
    public Set<FlowKey> keySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<FlowKey> iterator() {
                return Collections.unmodifiableList(Arrays.asList(keys)).iterator();
            }

            @Override
            public boolean contains(@Nullable Object key) {
                return containsKey(key);
            }

            @Override
            public int size() {
                return keys.length;
            }
        };
    }

    @Override
    public Collection<V> values() {
        return new AbstractCollection<>() {
            @Override
            public Iterator<V> iterator() {
                return new Places<>(FlowMap.this::value);
            }

            @Override
            public int size() {
                return keys.length;
            }
        };
    }

    @Override
    public Set<Map.Entry<FlowKey, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<FlowKey, V>> iterator() {
                return new Places<>(at -> Map.entry(keys[at], value(at)));
            }

            @Override
            public int size() {
                return keys.length;
            }
        };
    }

    /** Goes through what is at each place. */
    private final class Places<E> implements Iterator<E> {
        private final IntFunction<E> at;
        private int next;

        private Places(IntFunction<E> at) {
            this.at = at;
        }

        @Override
        public boolean hasNext() {
            return next < keys.length;
        }

        @Override
        public E next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return at.apply(next++);
        }
    }

    @Override
    public @Nullable Comparator<? super FlowKey> comparator() {
        return null;
    }

    @Override
    public FlowMap<V> subMap(FlowKey from, FlowKey to) {
        return tailMap(from).headMap(to);
    }

    @Override
    public FlowMap<V> headMap(FlowKey to) {
        int end = from(to);
        return new FlowMap<>(Arrays.copyOf(keys, end), Arrays.copyOf(values, end));
    }

    @Override
    public FlowMap<V> tailMap(FlowKey from) {
        int begin = from(from);
        return new FlowMap<>(
                Arrays.copyOfRange(keys, begin, keys.length), Arrays.copyOfRange(values, begin, keys.length));
    }

    private int from(FlowKey key) {
        int at = place(key);
        return at < 0 ? -1 - at : at;
    }

    @Override
    public FlowKey firstKey() {
        return keys[present(0)];
    }

    @Override
    public FlowKey lastKey() {
        return keys[present(keys.length - 1)];
    }

    private int present(int at) {
        if (keys.length == 0) {
            throw new NoSuchElementException("there are no flows");
        }
        return at;
    }
}
