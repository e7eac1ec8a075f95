package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.SlotFunction;
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
 * @param slotFunction by which of the switch's hashes TCP connections get their slots
 */
public record SwitchIntent(
        Port uplink,
        SortedMap<IpFamily, MacAddress> nextHops,
        SortedMap<String, SegmentPort> segments,
        List<ServedListener> listeners,
        List<ServedPool> pools,
        SortedSet<IpAddress> routers,
        SlotFunction slotFunction) {
    /** Copies the collections. */
    public SwitchIntent {
        routers = Collections.unmodifiableSortedSet(new TreeSet<>(routers));
        nextHops = Collections.unmodifiableSortedMap(new TreeMap<>(nextHops));
        segments = Collections.unmodifiableSortedMap(new TreeMap<>(segments));
        listeners = List.copyOf(listeners);
        pools = List.copyOf(pools);
    }

    /** An intent by the hash that every switch has. */
    public SwitchIntent(
            Port uplink,
            SortedMap<IpFamily, MacAddress> nextHops,
            SortedMap<String, SegmentPort> segments,
            List<ServedListener> listeners,
            List<ServedPool> pools,
            SortedSet<IpAddress> routers) {
        this(uplink, nextHops, segments, listeners, pools, routers, SlotFunction.MULTIPATH);
    }

    /** Returns this intent by another hash. */
    public SwitchIntent by(SlotFunction other) {
        return new SwitchIntent(uplink, nextHops, segments, listeners, pools, routers, other);
    }

    /** Returns the pool with the id, if it is served. */
    public Optional<ServedPool> pool(int id) {
        return pools.stream().filter(pool -> pool.id() == id).findFirst();
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
     * @param hash what of a packet decides its slot
     * @param whenEmpty what becomes of its packets while the pool is empty
     */
    public record ServedListener(
            int id, int poolId, IpAddress vip, Traffic traffic, HashFields hash, WhenEmpty whenEmpty) {
        /** A listener whose packets are dropped while the pool is empty. */
        public ServedListener(int id, int poolId, IpAddress vip, Traffic traffic, HashFields hash) {
            this(id, poolId, vip, traffic, hash, new WhenEmpty.Drop());
        }

        /** Returns true if members of the pool may get its packets: the pool serves it, or it falls back to it. */
        public boolean reaches(int pool) {
            return poolId == pool || fallsBackTo(pool);
        }

        /** Returns true if it falls back to the pool. */
        public boolean fallsBackTo(int pool) {
            return whenEmpty instanceof WhenEmpty.Fallback(int other) && other == pool;
        }

        /** A listener that takes each connection for itself. */
        public ServedListener(int id, int poolId, IpAddress vip, Traffic traffic) {
            this(id, poolId, vip, traffic, HashFields.FIVE_TUPLE);
        }
    }

    /** Whether a pool's listeners use its slots. */
    public enum Standing {
        /** They do. */
        SERVING,
        /** It counts as empty: they do what they say for that. */
        EMPTY
    }

    /**
     * A pool's generation with all it needs.
     *
     * @param id pool id
     * @param generation its number
     * @param digest digest of the table
     * @param table slot to member
     * @param members all members of the generation, eligible or not: replies of drained ones still pass
     * @param failOpen slot to member if all enabled members took traffic; present if a listener needs it
     * @param standing whether its listeners use its slots
     */
    public record ServedPool(
            int id,
            long generation,
            Digest digest,
            SlotTable table,
            List<ServedMember> members,
            Optional<SlotTable> failOpen,
            Standing standing) {
        /** Copies the list. */
        public ServedPool {
            members = List.copyOf(members);
        }

        /** A pool whose listeners use its slots, and need no others. */
        public ServedPool(int id, long generation, Digest digest, SlotTable table, List<ServedMember> members) {
            this(id, generation, digest, table, members, Optional.empty(), Standing.SERVING);
        }

        /** Returns this pool with other members. */
        public ServedPool with(List<ServedMember> others) {
            return new ServedPool(id, generation, digest, table, others, failOpen, standing);
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
