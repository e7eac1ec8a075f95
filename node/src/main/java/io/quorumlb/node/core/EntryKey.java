package io.quorumlb.node.core;

import java.util.Comparator;

/**
 * What one entry of a node's record is about.
 *
 * @param kind {@link #NODE}, {@link #POOL} or {@link #MEMBER}; a later version may have others, which this one keeps and
 *     relays
 * @param id of the pool or member, 0 for the node itself
 */
public record EntryKey(int kind, int id) implements Comparable<EntryKey> {
    /** What the node says of itself. */
    public static final int NODE = 1;
    /** What it says of a pool. */
    public static final int POOL = 2;
    /** What it has found of a member. */
    public static final int MEMBER = 3;

    private static final Comparator<EntryKey> ORDER =
            Comparator.comparingInt(EntryKey::kind).thenComparingInt(EntryKey::id);

    /** Checks that both are 0 or more. */
    public EntryKey {
        if (kind < 0 || id < 0) {
            throw new IllegalArgumentException("entry kind %d id %d: 0 or more expected".formatted(kind, id));
        }
    }

    static EntryKey node() {
        return new EntryKey(NODE, 0);
    }

    static EntryKey pool(int id) {
        return new EntryKey(POOL, id);
    }

    static EntryKey member(int id) {
        return new EntryKey(MEMBER, id);
    }

    @Override
    public int compareTo(EntryKey other) {
        return ORDER.compare(this, other);
    }
}
