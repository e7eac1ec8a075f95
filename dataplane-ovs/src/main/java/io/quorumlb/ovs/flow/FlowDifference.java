package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One thing that somebody did to our flows, as a reading of the switch shows it. */
public sealed interface FlowDifference {
    /** Returns which flow it is about. */
    FlowKey key();

    /** A flow of ours is gone. */
    record Deleted(Flow flow) implements FlowDifference {
        @Override
        public FlowKey key() {
            return flow.key();
        }

        @Override
        public String toString() {
            return "deleted " + flow;
        }
    }

    /** There is a flow in our name that we did not make. */
    record Added(Flow flow) implements FlowDifference {
        @Override
        public FlowKey key() {
            return flow.key();
        }

        @Override
        public String toString() {
            return "added " + flow;
        }
    }

    /** A flow of ours does something else, or has another cookie of ours. */
    record Altered(Flow found, Flow flow) implements FlowDifference {
        @Override
        public FlowKey key() {
            return flow.key();
        }

        @Override
        public String toString() {
            return "altered " + found + " was " + flow;
        }
    }

    /**
     * Returns what was done, if the switch held exactly the desired flows before.
     *
     * @param installed own flows as read back
     * @param delta what would make them the desired ones again
     */
    static List<FlowDifference> of(Map<FlowKey, InstalledFlow> installed, FlowDelta delta) {
        List<FlowDifference> found = new ArrayList<>();
        for (FlowKey key : delta.delete()) {
            InstalledFlow there = installed.get(key);
            if (there != null) {
                found.add(new Added(there.flow()));
            }
        }
        for (Flow flow : delta.add()) {
            InstalledFlow there = installed.get(flow.key());
            found.add(there == null ? new Deleted(flow) : new Altered(there.flow(), flow));
        }
        return found;
    }
}
