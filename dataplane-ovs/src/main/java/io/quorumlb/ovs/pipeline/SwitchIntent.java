package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything that decides a node's flows.
 *
 * @param uplink towards clients
 * @param nextHops MAC address of the router that takes the replies of a family; absent while it is unknown: replies of
 *     that family are dropped then
 * @param segments by segment name
 * @param listeners what clients may connect to
 * @param pools tables and members
 * @param routers addresses of the routers on the uplink; the node hears where they say that they are
 */
public record SwitchIntent(
        Port uplink,
        SortedMap<IpFamily, MacAddress> nextHops,
        SortedMap<String, SegmentPort> segments,
        List<ServedListener> listeners,
        List<ServedPool> pools,
        SortedSet<IpAddress> routers) {
    /** Copies the collections. */
    public SwitchIntent {
        routers = Collections.unmodifiableSortedSet(new TreeSet<>(routers));
        nextHops = Collections.unmodifiableSortedMap(new TreeMap<>(nextHops));
        segments = Collections.unmodifiableSortedMap(new TreeMap<>(segments));
        listeners = List.copyOf(listeners);
        pools = List.copyOf(pools);
    }

    /** Returns the MAC address of the router that takes replies of a family, if it is known. */
    public Optional<MacAddress> nextHop(IpFamily family) {
        return Optional.ofNullable(nextHops.get(family));
    }

    /**
     * Where the switch meets a network.
     *
     * @param number OpenFlow port towards the network
     * @param internal OpenFlow port of the node's own interface there
     * @param mac the node's own MAC address
     * @param addresses the node's own addresses of both families, those of version 6 that are link-local among them
     */
    public record Port(int number, int internal, MacAddress mac, SortedSet<IpAddress> addresses) {
        /** Copies the set. */
        public Port {
            addresses = Collections.unmodifiableSortedSet(new TreeSet<>(addresses));
        }
    }

    /**
     * A segment's port.
     *
     * @param port where the switch meets the segment
     * @param gateways the addresses the node answers for here, over which members send their replies; of both families
     */
    public record SegmentPort(Port port, SortedSet<IpAddress> gateways) {
        /** Copies the set. */
        public SegmentPort {
            gateways = Collections.unmodifiableSortedSet(new TreeSet<>(gateways));
        }
    }

    /**
     * A listener.
     *
     * @param id 1..65535
     * @param poolId pool that serves it
     * @param vip address
     * @param traffic what it takes of the packets to the address
     */
    public record ServedListener(int id, int poolId, IpAddress vip, Traffic traffic) {}

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
     * @param port its port, for listeners of a single port that name no other
     * @param segment name of its segment
     * @param mac its MAC address; empty while it is unknown
     */
    public record ServedMember(int id, IpAddress address, int port, String segment, Optional<MacAddress> mac) {}
}
