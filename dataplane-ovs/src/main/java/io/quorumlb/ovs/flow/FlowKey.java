package io.quorumlb.ovs.flow;

import org.jspecify.annotations.Nullable;

/**
 * What identifies a flow in a switch: adding a flow with the key of another replaces it. Ordered by table, then by
 * priority from high to low, then by match, as a reader wants to see them.
 *
 * @param table table number, 0..254
 * @param priority 0..65535, the highest matching flow wins
 * @param match packets the flow is for
 */
public record FlowKey(int table, int priority, Match match) implements Comparable<FlowKey> {
    static final int TABLE_MAX = 254;
    private static final int PRIORITY_MAX = 0xffff;

    /** Checks the ranges. */
    public FlowKey {
        if (table < 0 || table > TABLE_MAX) {
            throw new IllegalArgumentException("table must be 0..254, is " + table);
        }
        if (priority < 0 || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException("priority must be 0..65535, is " + priority);
        }
    }

    // Said in full: those of a record go through method handles, which is felt at a hundred thousand flows.
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof FlowKey same
                && table == same.table
                && priority == same.priority
                && match.equals(same.match);
    }

    @Override
    public int hashCode() {
        return (match.hashCode() * 31 + priority) * 31 + table;
    }

    @Override
    public int compareTo(FlowKey other) {
        int order = Integer.compare(table, other.table);
        if (order == 0) {
            order = Integer.compare(other.priority, priority);
        }
        return order != 0 ? order : match.compareTo(other.match);
    }

    /** Returns the key as {@code ovs-ofctl} reads it, for example {@code table=11,priority=100,reg0=0x1}. */
    @Override
    public String toString() {
        String fields = match.toString();
        return "table=" + table + ",priority=" + priority + (fields.isEmpty() ? "" : "," + fields);
    }
}
