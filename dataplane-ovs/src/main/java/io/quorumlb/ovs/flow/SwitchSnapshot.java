package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a switch held when it was read. A switch that cannot be read gives an exception, never an empty snapshot.
 *
 * @param own flows with our cookie
 * @param foreign flows of others, never touched
 * @param ports ports by interface name
 * @param groups groups with our numbers, by number
 */
public record SwitchSnapshot(
        FlowMap<InstalledFlow> own,
        List<InstalledFlow> foreign,
        SortedMap<String, SwitchPort> ports,
        SortedMap<Integer, Group> groups) {
    /** Copies the collections. */
    public SwitchSnapshot {
        foreign = Collections.unmodifiableList(new ArrayList<>(foreign));
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
    }

    /** A switch without groups of ours. */
    public SwitchSnapshot(
            FlowMap<InstalledFlow> own, List<InstalledFlow> foreign, SortedMap<String, SwitchPort> ports) {
        this(own, foreign, ports, new TreeMap<>());
    }

    /**
     * Returns the flows of ours that only one of two snapshots has, whatever their counters; one that was replaced is there
     * twice.
     */
    public List<Flow> differing(SwitchSnapshot other) {
        List<Flow> differing = new ArrayList<>();
        Iterator<InstalledFlow> mine = own.values().iterator();
        Iterator<InstalledFlow> theirs = other.own.values().iterator();
        @Nullable Flow one = next(mine);
        @Nullable Flow two = next(theirs);
        while (one != null || two != null) {
            // Flows that were read twice are one object nearly always.
            if (one != null && one.equals(two)) {
                one = next(mine);
                two = next(theirs);
                continue;
            }
            int order = one == null ? 1 : two == null ? -1 : one.key().compareTo(two.key());
            if (order <= 0) {
                differing.add(one);
                one = next(mine);
            }
            if (order >= 0) {
                differing.add(two);
                two = next(theirs);
            }
        }
        return differing;
    }

    private static @Nullable Flow next(Iterator<InstalledFlow> flows) {
        return flows.hasNext() ? flows.next().flow() : null;
    }

    /** Returns our flows without counters, in the order of their keys. */
    public List<Flow> flows() {
        List<Flow> flows = new ArrayList<>(own.size());
        own.values().forEach(installed -> flows.add(installed.flow()));
        return Collections.unmodifiableList(flows);
    }

    /** Returns our flows without counters, to compare with the desired ones. */
    public FlowMap<Flow> ownFlows() {
        return own.mapped(InstalledFlow::flow);
    }
}
