package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.ovs.flow.MacAddress;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The site of the tests: three nodes, segments p2 and p3, pool web with be1..be4, one listener. */
final class Site {
    static final NodeId N1 = new NodeId("n1");
    static final NodeId N2 = new NodeId("n2");
    static final NodeId N3 = new NodeId("n3");
    static final SortedSet<NodeId> NODES = new TreeSet<>(List.of(N1, N2, N3));
    static final int WEB = 1;
    static final int BE1 = 1;
    static final Ipv4Address VIP = Ipv4Address.parse("10.99.0.10");
    static final Ipv4Address ROUTER = Ipv4Address.parse("10.10.0.1");
    static final MacAddress ROUTER_MAC = MacAddress.parse("02:00:00:00:aa:01");
    static final List<String> PORTS = List.of("x-uplink", "uplink", "x-p2", "p2", "x-p3", "p3");
    static final HealthMonitor MONITOR =
            new HealthMonitor(new MonitorCheck.Http("/health"), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);
    static final String FOUR_UP = "0a16713c5a9eb94d";
    static final String WITHOUT_BE1 = "6c5bb0a164d76e61";

    private static final List<MemberKey> KEYS = List.of(
            MemberKey.parse("10.20.0.2:8080"),
            MemberKey.parse("10.30.0.2:8080"),
            MemberKey.parse("10.20.0.3:8080"),
            MemberKey.parse("10.30.0.3:8080"));

    private Site() {}

    /** Configures everything. */
    static void configure(FakeLog log) {
        log.operator(new Command.CreateSegment(segment("p2", 20)));
        log.operator(new Command.CreateSegment(segment("p3", 30)));
        log.operator(new Command.CreatePool(new Pool(0, "web", HashAlgoVersion.V1, 1024, MONITOR)));
        for (int i = 0; i < KEYS.size(); i++) {
            log.operator(createMember("be" + (i + 1), i % 2 == 0 ? "p2" : "p3", KEYS.get(i)));
        }
        log.operator(new Command.CreateListener("web", new Listener(0, "web-http", VIP, Protocol.TCP, 80, 0)));
    }

    static Command createMember(String name, String segment, MemberKey key) {
        return new Command.CreateMember("web", segment, new Member(0, 0, 0, name, key, 1, AdminState.ENABLED));
    }

    static MemberKey key(int member) {
        return KEYS.get(member - 1);
    }

    static String segmentOf(int member) {
        return member % 2 == 1 ? "p2" : "p3";
    }

    private static Segment segment(String name, int octet) {
        SortedMap<NodeId, Ipv4Address> gateways = new TreeMap<>();
        for (NodeId node : NODES) {
            gateways.put(node, address(octet, 250 + number(node)));
        }
        return new Segment(0, name, new IpPrefix(address(octet, 0), 24), gateways);
    }

    static NodeSettings settings(NodeId self, long incarnation) {
        SortedMap<String, Attachment> segments = new TreeMap<>();
        segments.put("p2", new Attachment("x-p2", "p2"));
        segments.put("p3", new Attachment("x-p3", "p3"));
        return new NodeSettings(
                "site", self, NODES, incarnation, new Attachment("x-uplink", "uplink"), ROUTER, segments);
    }

    /** Returns the kernel of a node that knows everybody. */
    static NetworkView network(NodeId node) {
        SortedMap<String, InterfaceAddress> interfaces = new TreeMap<>();
        SortedMap<String, SortedMap<IpAddress, MacAddress>> neighbours = new TreeMap<>();
        int port = 0;
        for (String name : List.of("uplink", "p2", "p3")) {
            port++;
            interfaces.put(
                    name,
                    new InterfaceAddress(
                            address(port * 10, 10 + number(node)),
                            new MacAddress(0x0200_0000_0000L + port * 256L + number(node))));
            neighbours.put(name, new TreeMap<>());
        }
        neighbours.put("uplink", knownRouter());
        for (int member = 1; member <= KEYS.size(); member++) {
            var known = new TreeMap<>(neighbours.getOrDefault(segmentOf(member), new TreeMap<>()));
            known.put(key(member).ipv4().orElseThrow(), mac(member));
            neighbours.put(segmentOf(member), known);
        }
        return new NetworkView(interfaces, neighbours);
    }

    private static SortedMap<IpAddress, MacAddress> knownRouter() {
        SortedMap<IpAddress, MacAddress> known = new TreeMap<>();
        known.put(ROUTER, ROUTER_MAC);
        return known;
    }

    static MacAddress mac(int member) {
        return new MacAddress(0x0200_0000_be00L + member);
    }

    private static Ipv4Address address(int octet, int host) {
        return Ipv4Address.parse("10.%d.0.%d".formatted(octet, host));
    }

    private static int number(NodeId node) {
        return Integer.parseInt(node.value().substring(1));
    }
}
