package io.quorumlb.ovs.flow;

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
