package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The changes that turn the flows a switch holds into the desired ones. Adding a flow replaces one of the same key,
 * so a key is in one of the two lists at most.
 *
 * @param add flows to add or replace, later tables first, so that the target of a goto is there before its use
 * @param delete keys to delete, earlier tables first
 */
public record FlowDelta(List<Flow> add, List<FlowKey> delete) {
    private static final Comparator<FlowKey> LATER_TABLES_FIRST =
            Comparator.comparingInt(FlowKey::table).reversed().thenComparing(Comparator.naturalOrder());

    /** Copies the lists; their order is the order on the wire. */
    public FlowDelta {
        add = Collections.unmodifiableList(new ArrayList<>(add));
        delete = Collections.unmodifiableList(new ArrayList<>(delete));
    }

    /**
     * Returns what must change.
     *
     * @param installed own flows as read back from the switch; flows of others must not be in it, they would go
     * @param desired all own flows that should be there, in any order
     * @throws IllegalArgumentException if two different desired flows have one key
     */
    public static FlowDelta between(Map<FlowKey, Flow> installed, Collection<Flow> desired) {
        // Only looked up, never gone through: its order does not matter.
        var wanted = new HashMap<FlowKey, Flow>(desired.size() * 2);
        var add = new ArrayList<Flow>();
        int kept = 0;
        for (Flow flow : desired) {
            Flow other = wanted.put(flow.key(), flow);
            if (other != null) {
                if (!other.equals(flow)) {
                    throw new IllegalArgumentException("two desired flows have one key: " + other + " and " + flow);
                }
                continue;
            }
            Flow there = installed.get(flow.key());
            kept += there == null ? 0 : 1;
            if (!flow.equals(there)) {
                add.add(flow);
            }
        }
        add.sort(Comparator.comparing(Flow::key, LATER_TABLES_FIRST));
        var delete = new ArrayList<FlowKey>();
        if (kept < installed.size()) {
            for (FlowKey key : installed.keySet()) {
                if (!wanted.containsKey(key)) {
                    delete.add(key);
                }
            }
            Collections.sort(delete);
        }
        return new FlowDelta(add, delete);
    }

    /** Returns whether nothing has to change. */
    public boolean isEmpty() {
        return add.isEmpty() && delete.isEmpty();
    }

    /** Returns the number of flow-mods this delta costs. */
    public int size() {
        return add.size() + delete.size();
    }
}
