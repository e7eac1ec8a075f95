package io.quorumlb.node.core;

import io.quorumlb.ovs.flow.FlowDifference;
import java.util.List;

/**
 * Own flows that were put right after somebody else had changed them, since the start.
 *
 * @param deleted flows that were gone
 * @param added flows in our name that we had not made
 * @param altered flows that did something else
 */
public record RepairCounts(long deleted, long added, long altered) {
    /** Nothing was put right. */
    public static final RepairCounts NONE = new RepairCounts(0, 0, 0);

    /** Returns the sum. */
    public long total() {
        return deleted + added + altered;
    }

    RepairCounts plus(List<FlowDifference> found) {
        long nowDeleted = deleted;
        long nowAdded = added;
        long nowAltered = altered;
        for (FlowDifference difference : found) {
            switch (difference) {
                case FlowDifference.Deleted _ -> nowDeleted++;
                case FlowDifference.Added _ -> nowAdded++;
                case FlowDifference.Altered _ -> nowAltered++;
            }
        }
        return new RepairCounts(nowDeleted, nowAdded, nowAltered);
    }
}
