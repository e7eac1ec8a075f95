package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that decides a node's flows.
 *
 * @param uplink towards clients
 * @param nextHop MAC address of the router that takes replies; empty while it is unknown: replies are dropped then
 * @param segments by segment name
 * @param listeners what clients may connect to
 * @param pools tables and members
 * @param slotFunction by which of the switch's hashes TCP connections get their slots
 */
public record SwitchIntent(
        Port uplink,
        Optional<MacAddress> nextHop,
        SortedMap<String, SegmentPort> segments,
        List<ServedListener> listeners,
        List<ServedPool> pools,
        SlotFunction slotFunction) {
    /** Copies the collections. */
    public SwitchIntent {
        segments = Collections.unmodifiableSortedMap(new TreeMap<>(segments));
        listeners = List.copyOf(listeners);
        pools = List.copyOf(pools);
    }

    /** An intent by the hash that every switch has. */
    public SwitchIntent(
            Port uplink,
            Optional<MacAddress> nextHop,
            SortedMap<String, SegmentPort> segments,
            List<ServedListener> listeners,
            List<ServedPool> pools) {
        this(uplink, nextHop, segments, listeners, pools, SlotFunction.MULTIPATH);
    }

    /** Returns this intent by another hash. */
    public SwitchIntent by(SlotFunction other) {
        return new SwitchIntent(uplink, nextHop, segments, listeners, pools, other);
    }

    /**
     * Where the switch meets a network.
     *
     * @param number OpenFlow port towards the network
     * @param internal OpenFlow port of the node's own interface there
     * @param address the node's own address
     * @param mac the node's own MAC address
     */
    public record Port(int number, int internal, Ipv4Address address, MacAddress mac) {}

    /**
     * A segment's port.
     *
     * @param port where the switch meets the segment
     * @param gateway the address the node answers for, if it has one here
     */
    public record SegmentPort(Port port, Optional<Ipv4Address> gateway) {}

    /**
     * A listener.
     *
     * @param id 1..65535
     * @param poolId pool that serves it
     * @param vip address
     * @param port TCP port
     * @param hash what of a packet decides its slot
     */
    public record ServedListener(int id, int poolId, Ipv4Address vip, int port, HashFields hash) {
        /** A listener that takes each connection for itself. */
        public ServedListener(int id, int poolId, Ipv4Address vip, int port) {
            this(id, poolId, vip, port, HashFields.FIVE_TUPLE);
        }
    }

    /**
     * A pool's generation with all it needs.
     *
     * @param id pool id
     * @param generation its number
     * @param digest digest of the table
     * @param table slot to member
     * @param members all members of the generation, eligible or not: replies of drained ones still pass
     */
    public record ServedPool(int id, long generation, Digest digest, SlotTable table, List<ServedMember> members) {
        /** Copies the list. */
        public ServedPool {
            members = List.copyOf(members);
        }
    }

    /**
     * A member.
     *
     * @param id member id
     * @param address its address
     * @param port its TCP port
     * @param segment name of its segment
     * @param mac its MAC address; empty while it is unknown
     */
    public record ServedMember(int id, Ipv4Address address, int port, String segment, Optional<MacAddress> mac) {}
}
