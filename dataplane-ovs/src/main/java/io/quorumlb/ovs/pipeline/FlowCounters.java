package io.quorumlb.ovs.pipeline;

import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.Match;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a switch have counted, added up over readings; a total never goes back while what it is about exists.
 *
 * <p>A switch counts from zero again when it restarts and when a row is deleted and added. What such a row has counted by
 * the next reading is added to the total; what it counted between the last reading and its end is lost. The first
 * reading begins with what the switch says, so totals survive a restart of the controller as far as the rows did.
 */
public final class FlowCounters {
    /** Slots are the many; nobody asks how often each was hit. */
    private static final int SLOT_PRIORITY = 100;

    /** Rows before and after the slots, as they were last read. */
    private final FlowMap<InstalledFlow> before;

    private final FlowMap<InstalledFlow> after;
    private final SortedMap<Counted, Count> totals;

    private FlowCounters(
            FlowMap<InstalledFlow> before, FlowMap<InstalledFlow> after, SortedMap<Counted, Count> totals) {
        this.before = before;
        this.after = after;
        this.totals = Collections.unmodifiableSortedMap(totals);
    }

    /** Returns counters that have read nothing. */
    public static FlowCounters none() {
        return new FlowCounters(FlowMap.empty(), FlowMap.empty(), new TreeMap<>());
    }

    /** Returns all totals; what has no row now but exists keeps its last one. */
    public SortedMap<Counted, Count> totals() {
        return totals;
    }

    /**
     * Returns the counters after one reading more.
     *
     * @param rows all rows of ours that the switch holds
     * @param exists whether what is counted is still there; a total is forgotten when it neither exists nor has a row
     */
    public FlowCounters read(FlowMap<InstalledFlow> rows, Predicate<Counted> exists) {
        // All but the slots: also rows that count nothing, because one that does may take the place of one that does
        // not.
        FlowMap<InstalledFlow> first = rows.headMap(row(PipelineTable.SLOTS, SLOT_PRIORITY));
        FlowMap<InstalledFlow> second = rows.tailMap(row(PipelineTable.SLOTS, SLOT_PRIORITY - 1));
        // Only looked up, never gone through: its order does not matter.
        Map<Counted, Count> grown = new HashMap<>();
        grow(before, first, grown);
        grow(after, second, grown);
        return new FlowCounters(first, second, added(grown, exists));
    }

    private SortedMap<Counted, Count> added(Map<Counted, Count> grown, Predicate<Counted> exists) {
        SortedMap<Counted, Count> next = new TreeMap<>(totals);
        next.entrySet().removeIf(entry -> {
            Count more = grown.remove(entry.getKey());
            if (more != null) {
                entry.setValue(entry.getValue().plus(more));
            }
            return more == null && !exists.test(entry.getKey());
        });
        // What is left is new.
        next.putAll(grown);
        return next;
    }

    /** Returns the key before those of a table from a priority downwards. */
    private static FlowKey row(PipelineTable table, int priority) {
        return new FlowKey(table.id(), priority, Match.of());
    }

    /** Both are in the order of their keys, so they are gone through side by side. */
    private static void grow(FlowMap<InstalledFlow> last, FlowMap<InstalledFlow> now, Map<Counted, Count> grown) {
        Iterator<InstalledFlow> others = last.values().iterator();
        @Nullable InstalledFlow other = others.hasNext() ? others.next() : null;
        for (InstalledFlow row : now.values()) {
            FlowKey key = row.flow().key();
            while (other != null && other.flow().key().compareTo(key) < 0) {
                other = others.hasNext() ? others.next() : null;
            }
            boolean known = other != null && other.flow().key().equals(key);
            Count more = grown(known ? other : null, row);
            Counted.of(row.flow()).forEach(counted -> grown.merge(counted, more, Count::plus));
        }
    }

    /**
     * A row that counted less than before, or is younger, is another one: all of its count is new. One that is both older
     * and ahead is taken for the same; if it is not, too little is added, never too much.
     */
    private static Count grown(@Nullable InstalledFlow last, InstalledFlow next) {
        Count whole = new Count(next.packets(), next.bytes());
        if (last == null) {
            return whole;
        }
        boolean same = next.packets() >= last.packets()
                && next.bytes() >= last.bytes()
                && next.age().compareTo(last.age()) >= 0;
        return same ? whole.since(new Count(last.packets(), last.bytes())) : whole;
    }
}
