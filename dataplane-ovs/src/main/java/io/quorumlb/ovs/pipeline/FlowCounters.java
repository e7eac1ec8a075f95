package io.quorumlb.ovs.pipeline;

import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.Match;
import java.time.Duration;
import java.util.Collections;
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

    private final SortedMap<FlowKey, Seen> seen;
    private final SortedMap<Counted, Count> totals;

    /** What a row had counted when it was last read. */
    private record Seen(Count count, Duration age) {}

    private FlowCounters(SortedMap<FlowKey, Seen> seen, SortedMap<Counted, Count> totals) {
        this.seen = seen;
        this.totals = Collections.unmodifiableSortedMap(totals);
    }

    /** Returns counters that have read nothing. */
    public static FlowCounters none() {
        return new FlowCounters(new TreeMap<>(), new TreeMap<>());
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
    public FlowCounters read(SortedMap<FlowKey, InstalledFlow> rows, Predicate<Counted> exists) {
        SortedMap<FlowKey, Seen> now = new TreeMap<>();
        SortedMap<Counted, Count> grown = new TreeMap<>();
        // All but the slots: also rows that count nothing, because one that does may take the place of one that does
        // not.
        read(rows.headMap(row(PipelineTable.SLOTS, SLOT_PRIORITY)), now, grown);
        read(rows.tailMap(row(PipelineTable.SLOTS, SLOT_PRIORITY - 1)), now, grown);
        totals.forEach((counted, count) -> {
            if (grown.containsKey(counted) || exists.test(counted)) {
                grown.merge(counted, count, Count::plus);
            }
        });
        return new FlowCounters(now, grown);
    }

    /** Returns the key before those of a table from a priority downwards. */
    private static FlowKey row(PipelineTable table, int priority) {
        return new FlowKey(table.id(), priority, Match.of());
    }

    private void read(
            SortedMap<FlowKey, InstalledFlow> rows, SortedMap<FlowKey, Seen> now, SortedMap<Counted, Count> grown) {
        rows.forEach((key, installed) -> {
            Seen last = seen.get(key);
            Seen next = new Seen(new Count(installed.packets(), installed.bytes()), installed.age());
            now.put(key, next);
            Counted.of(installed.flow()).forEach(counted -> grown.merge(counted, grown(last, next), Count::plus));
        });
    }

    /**
     * A row that counted less than before, or is younger, is another one: all of its count is new. One that is both older
     * and ahead is taken for the same; if it is not, too little is added, never too much.
     */
    private static Count grown(@Nullable Seen last, Seen next) {
        if (last == null) {
            return next.count;
        }
        boolean same = next.count.packets() >= last.count.packets()
                && next.count.bytes() >= last.count.bytes()
                && next.age.compareTo(last.age) >= 0;
        return same ? next.count.since(last.count) : next.count;
    }
}
