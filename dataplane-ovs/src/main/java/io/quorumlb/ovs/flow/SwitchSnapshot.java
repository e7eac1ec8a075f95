package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a switch held when it was read. A switch that cannot be read gives an exception, never an empty snapshot.
 *
 * @param own flows with our cookie
 * @param foreign flows of others, never touched
 * @param ports ports by interface name
 */
public record SwitchSnapshot(
        SortedMap<FlowKey, InstalledFlow> own, List<InstalledFlow> foreign, SortedMap<String, SwitchPort> ports) {
    /** Copies the collections. */
    public SwitchSnapshot {
        own = Collections.unmodifiableSortedMap(new TreeMap<>(own));
        foreign = Collections.unmodifiableList(new ArrayList<>(foreign));
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
    }

    /** Returns whether the other holds the same flows of ours, whatever their counters, and the same ports. */
    public boolean holdsTheSame(SwitchSnapshot other) {
        if (own.size() != other.own.size() || !ports.equals(other.ports)) {
            return false;
        }
        Iterator<InstalledFlow> others = other.own.values().iterator();
        for (InstalledFlow installed : own.values()) {
            if (!installed.flow().equals(others.next().flow())) {
                return false;
            }
        }
        return true;
    }

    /** Returns our flows without counters, in the order of their keys. */
    public List<Flow> flows() {
        List<Flow> flows = new ArrayList<>(own.size());
        own.values().forEach(installed -> flows.add(installed.flow()));
        return Collections.unmodifiableList(flows);
    }

    /** Returns our flows without counters, to compare with the desired ones. */
    public SortedMap<FlowKey, Flow> ownFlows() {
        var flows = new TreeMap<FlowKey, Flow>();
        own.forEach((key, installed) -> flows.put(key, installed.flow()));
        return Collections.unmodifiableSortedMap(flows);
    }
}
