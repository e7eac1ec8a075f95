package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How the switch is configured, as its database says.
 *
 * @param version version of Open vSwitch, empty while the database has none
 * @param bridge the node's bridge; empty if the database has no bridge of that name
 * @param ports interfaces of that bridge, by name
 * @param settings {@code other_config} of the whole switch
 */
public record SwitchDatabase(
        String version, Optional<Bridge> bridge, SortedMap<String, Port> ports, SortedMap<String, String> settings) {
    /** Copies the maps. */
    public SwitchDatabase {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    /**
     * A bridge.
     *
     * @param name its name
     * @param datapathType {@code netdev} or {@code system}; empty is {@code system}
     * @param failMode {@code secure} or {@code standalone}; empty is {@code standalone}
     * @param controllers targets of the controllers that it connects to, sorted
     * @param protocols versions of OpenFlow that it speaks, as {@code OpenFlow15}; none if it is left to the switch
     * @param settings {@code other_config} of the bridge
     */
    public record Bridge(
            String name,
            String datapathType,
            String failMode,
            List<String> controllers,
            SortedSet<String> protocols,
            SortedMap<String, String> settings) {
        /** Sorts the targets, and copies the collections. */
        public Bridge {
            List<String> sorted = new ArrayList<>(controllers);
            Collections.sort(sorted);
            controllers = Collections.unmodifiableList(sorted);
            protocols = Collections.unmodifiableSortedSet(new TreeSet<>(protocols));
            settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        }
    }

    /**
     * An interface of the bridge.
     *
     * @param type {@code internal}, {@code afxdp} and so on; empty for one of the kernel's
     * @param number OpenFlow port number; empty while the switch has not made it
     * @param error why the switch could not make it, or empty
     * @param linkState {@code up} or {@code down}; empty if not known
     * @param mac its address while in use, or empty
     */
    public record Port(String type, Optional<Integer> number, String error, String linkState, String mac) {}
}
