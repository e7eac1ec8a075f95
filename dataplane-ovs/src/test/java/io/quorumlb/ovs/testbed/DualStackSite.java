package io.quorumlb.ovs.testbed;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.pipeline.Traffic;
import io.quorumlb.ovs.pipeline.Traffic.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A node with every kind of listener in both families, the same in each. Per family: pool A, two members, serves ports
 * and ranges at the first VIP and one port at the third; pool B, one member, serves all ports at the second VIP; pool
 * C, one member, serves everything at the third. The members are one host per segment, with one address per pool.
 */
public final class DualStackSite {
    /** Slots of every pool. */
    public static final int SLOTS = 256;

    /** OpenFlow ports towards the networks; the node's own port of each has the next number. */
    public static final int UPLINK = 1;

    /** The port of the segment of odd members. */
    public static final int P2 = 3;

    /** The port of the segment of even members. */
    public static final int P3 = 5;

    /** The router, which is the only neighbour on the uplink. */
    public static final MacAddress ROUTER = MacAddress.parse("02:00:00:00:aa:01");

    /** The port on which members serve what no listener names another port for. */
    public static final int MEMBER_PORT = 8080;

    private static final long GENERATION = 7;

    /** The pools of a family, with distinct members: a reply must tell which listener it belongs to. */
    public enum Role {
        /** Ports and ranges. */
        PORTS,
        /** All ports of TCP and UDP. */
        ALL_PORTS,
        /** Every packet. */
        EVERYTHING
    }

    /**
     * A member.
     *
     * @param id 1..8
     * @param family of its address
     * @param role of its pool
     */
    public record Site(int id, IpFamily family, Role role) {
        /** Returns its address. */
        public IpAddress address() {
            return DualStackSite.address(family, network(), 100 + id);
        }

        /** Returns the MAC address of its host. */
        public MacAddress mac() {
            return host(port());
        }

        /** Returns the OpenFlow port of its segment. */
        public int port() {
            return id % 2 == 1 ? P2 : P3;
        }

        /** Returns the number of its segment's network. */
        public int network() {
            return id % 2 == 1 ? 20 : 30;
        }

        private TableMember inTable() {
            return TableMember.full(id, new MemberKey(address(), MEMBER_PORT), 10);
        }

        private ServedMember served() {
            return new ServedMember(id, address(), MEMBER_PORT, "p" + network() / 10, Optional.of(mac()));
        }
    }

    private DualStackSite() {}

    /** Returns all members. */
    public static List<Site> members() {
        List<Site> members = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            int before = members.size();
            members.add(new Site(before + 1, family, Role.PORTS));
            members.add(new Site(before + 2, family, Role.PORTS));
            members.add(new Site(before + 3, family, Role.ALL_PORTS));
            members.add(new Site(before + 4, family, Role.EVERYTHING));
        }
        return members;
    }

    /** Returns the MAC address of the host with the members behind a port. */
    public static MacAddress host(int port) {
        return new MacAddress(0x0200_0000_be00L + port);
    }

    /** Returns the node's own MAC address in a network: 10 is the uplink, 20 and 30 the segments. */
    public static MacAddress own(int network) {
        return new MacAddress(0x0200_0000_0001L + network * 256L);
    }

    /** Returns the address of a host in a network. */
    public static IpAddress address(IpFamily family, int network, int host) {
        return IpAddress.parse(
                switch (family) {
                    case IPV4 -> "10.%d.0.%d".formatted(network, host);
                    case IPV6 -> "fd00:%d::%d".formatted(network, host);
                });
    }

    /** Returns a VIP, 1..3. */
    public static IpAddress vip(IpFamily family, int number) {
        return address(family, 99, 9 + number);
    }

    /** Returns the gateway addresses of a segment that this node owns: its own, and that of a node that is away. */
    public static List<IpAddress> gateways(IpFamily family, int network) {
        return List.of(address(family, network, 251), address(family, network, 252));
    }

    /** Returns the id of a pool. */
    public static int pool(IpFamily family, Role role) {
        return switch (family) {
                    case IPV4 -> 10;
                    case IPV6 -> 20;
                }
                + switch (role) {
                    case PORTS -> 1;
                    case ALL_PORTS -> 2;
                    case EVERYTHING -> 3;
                };
    }

    /** Returns the table of a pool. */
    public static SlotTable table(IpFamily family, Role role) {
        return SlotTable.build(
                HashAlgoVersion.V2,
                pool(family, role),
                SLOTS,
                ofPool(family, role).stream().map(Site::inTable).toList());
    }

    private static List<Site> ofPool(IpFamily family, Role role) {
        return members().stream()
                .filter(member -> member.family() == family && member.role() == role)
                .toList();
    }

    /** Returns what the node wants of its switch. */
    public static SwitchIntent intent() {
        SortedMap<String, SegmentPort> segments = new TreeMap<>();
        segments.put("p2", segment(P2, 20));
        segments.put("p3", segment(P3, 30));
        SortedMap<IpFamily, MacAddress> nextHops = new TreeMap<>();
        SortedSet<IpAddress> routers = new TreeSet<>();
        List<ServedListener> listeners = new ArrayList<>();
        List<ServedPool> pools = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            nextHops.put(family, ROUTER);
            routers.add(address(family, 10, 1));
            listeners.addAll(listeners(family));
            for (Role role : Role.values()) {
                SlotTable table = table(family, role);
                pools.add(new ServedPool(
                        pool(family, role),
                        GENERATION,
                        table.digest(),
                        table,
                        ofPool(family, role).stream().map(Site::served).toList()));
            }
        }
        return new SwitchIntent(port(UPLINK, 10), nextHops, segments, listeners, pools, routers);
    }

    private static List<ServedListener> listeners(IpFamily family) {
        int ports = pool(family, Role.PORTS);
        int allPorts = pool(family, Role.ALL_PORTS);
        int base = ports * 10;
        return List.of(
                new ServedListener(base, ports, vip(family, 1), Traffic.port(Transport.TCP, 80)),
                new ServedListener(
                        base + 1,
                        ports,
                        vip(family, 1),
                        new Traffic.Ports(Transport.UDP, 53, 53, OptionalInt.of(5353))),
                new ServedListener(base + 2, ports, vip(family, 1), Traffic.range(Transport.TCP, 9000, 9100)),
                new ServedListener(base + 3, ports, vip(family, 1), Traffic.range(Transport.TCP, 9010, 9019)),
                new ServedListener(base + 4, ports, vip(family, 1), Traffic.range(Transport.UDP, 9000, 9004)),
                new ServedListener(base + 5, allPorts, vip(family, 2), new Traffic.AllPorts(Transport.TCP)),
                new ServedListener(base + 6, allPorts, vip(family, 2), new Traffic.AllPorts(Transport.UDP)),
                new ServedListener(base + 7, pool(family, Role.EVERYTHING), vip(family, 3), new Traffic.Everything()),
                new ServedListener(
                        base + 8,
                        ports,
                        vip(family, 3),
                        new Traffic.Ports(Transport.TCP, 80, 80, OptionalInt.of(8081))));
    }

    private static Port port(int number, int network) {
        SortedSet<IpAddress> own = new TreeSet<>();
        for (IpFamily family : IpFamily.values()) {
            own.add(address(family, network, 11));
        }
        own.add(IpAddress.parse("fe80::%d".formatted(network)));
        return new Port(number, number + 1, own(network), own);
    }

    private static SegmentPort segment(int number, int network) {
        SortedSet<IpAddress> gateways = new TreeSet<>();
        for (IpFamily family : IpFamily.values()) {
            gateways.addAll(gateways(family, network));
        }
        return new SegmentPort(port(number, network), gateways);
    }
}
