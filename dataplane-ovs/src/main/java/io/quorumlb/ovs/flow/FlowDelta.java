package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes that turn the flows and groups a switch holds into the desired ones. Adding a flow replaces one of the same
 * key, so a key is in one of the two lists at most; the same holds for groups. Groups are put before the flows that use
 * them and deleted after those.
 *
 * @param putGroups groups to add or replace
 * @param add flows to add or replace, later tables first, so that the target of a goto is there before its use
 * @param delete keys to delete, earlier tables first
 * @param deleteGroups numbers of groups to delete
 */
public record FlowDelta(List<Group> putGroups, List<Flow> add, List<FlowKey> delete, List<Integer> deleteGroups) {
    private static final Comparator<FlowKey> LATER_TABLES_FIRST =
            Comparator.comparingInt(FlowKey::table).reversed().thenComparing(Comparator.naturalOrder());

    /** Copies the lists; their order is the order on the wire. */
    public FlowDelta {
        putGroups = Collections.unmodifiableList(new ArrayList<>(putGroups));
        deleteGroups = Collections.unmodifiableList(new ArrayList<>(deleteGroups));
        add = Collections.unmodifiableList(new ArrayList<>(add));
        delete = Collections.unmodifiableList(new ArrayList<>(delete));
    }

    /** A change of flows alone. */
    public FlowDelta(List<Flow> add, List<FlowKey> delete) {
        this(List.of(), add, delete, List.of());
    }

    /**
     * Returns this change of flows together with what must change of groups.
     *
     * @param installed own groups as read back from the switch, by number
     * @param desired all own groups that should be there, by number
     */
    public FlowDelta withGroups(SortedMap<Integer, Group> installed, SortedMap<Integer, Group> desired) {
        var put = new ArrayList<Group>();
        desired.forEach((id, group) -> {
            if (!group.equals(installed.get(id))) {
                put.add(group);
            }
        });
        var gone = new ArrayList<Integer>(installed.keySet());
        gone.removeAll(desired.keySet());
        return new FlowDelta(put, add, delete, gone);
    }

    /**
     * Returns what must change.
     *
     * @param installed own flows as read back from the switch; flows of others must not be in it, they would go
     * @param desired all own flows that should be there, in any order
     * @throws IllegalArgumentException if two different desired flows have one key
     */
    public static FlowDelta between(SortedMap<FlowKey, Flow> installed, Collection<Flow> desired) {
        List<Flow> wanted = new ArrayList<>(desired);
        wanted.sort(Comparator.comparing(Flow::key));
        List<Flow> add = new ArrayList<>();
        List<FlowKey> delete = new ArrayList<>();
        Iterator<Flow> held = installed.values().iterator();
        @Nullable Flow there = next(held);
        @Nullable Flow last = null;
        // Both are in the order of their keys, so they are gone through side by side.
        for (Flow flow : wanted) {
            if (last != null && last.key().equals(flow.key())) {
                if (!last.equals(flow)) {
                    throw new IllegalArgumentException("two desired flows have one key: " + last + " and " + flow);
                }
                continue;
            }
            last = flow;
            while (there != null && there.key().compareTo(flow.key()) < 0) {
                delete.add(there.key());
                there = next(held);
            }
            if (there != null && there.key().equals(flow.key())) {
                if (!there.equals(flow)) {
                    add.add(flow);
                }
                there = next(held);
            } else {
                add.add(flow);
            }
        }
        for (; there != null; there = next(held)) {
            delete.add(there.key());
        }
        add.sort(Comparator.comparing(Flow::key, LATER_TABLES_FIRST));
        return new FlowDelta(add, delete);
    }

    private static @Nullable Flow next(Iterator<Flow> flows) {
        return flows.hasNext() ? flows.next() : null;
    }

    /** Returns whether nothing has to change. */
    public boolean isEmpty() {
        return size() == 0;
    }

    /** Returns the number of flow-mods and group-mods this delta costs. */
    public int size() {
        return putGroups.size() + add.size() + delete.size() + deleteGroups.size();
    }
}
