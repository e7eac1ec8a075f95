package io.quorumlb.verify.sim;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchPort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Names and addresses of the simulated site: segments p2 and p3, hosts in both, pool web, one listener. */
final class SimSite {
    static final String POOL = "web";
    static final Ipv4Address VIP = Ipv4Address.parse("10.99.0.10");
    static final int VIP_PORT = 80;
    static final Ipv4Address ROUTER = Ipv4Address.parse("10.10.0.1");
    static final MacAddress ROUTER_MAC = MacAddress.parse("02:00:00:00:aa:01");
    static final List<String> SEGMENTS = List.of("p2", "p3");
    static final String UPLINK = "uplink";

    private static final List<String> NETWORKS = List.of(UPLINK, "p2", "p3");
    private static final int MEMBER_PORT = 8080;
    private static final List<MemberKey> KEYS = keys();

    private SimSite() {}

    static List<NodeId> nodes(int count) {
        List<NodeId> nodes = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            nodes.add(new NodeId("n" + i));
        }
        return nodes;
    }

    static int number(NodeId node) {
        return Integer.parseInt(node.value().substring(1));
    }

    static String hostName(int host) {
        return "be" + host;
    }

    static String segmentOf(int host) {
        return SEGMENTS.get(host % SEGMENTS.size());
    }

    static MemberKey key(int host) {
        return KEYS.get(host - 1);
    }

    private static List<MemberKey> keys() {
        List<MemberKey> keys = new ArrayList<>();
        for (int host = 1; host <= Settings.HOSTS_MAX; host++) {
            keys.add(new MemberKey(address(segmentOf(host), 100 + host), MEMBER_PORT));
        }
        return Collections.unmodifiableList(keys);
    }

    /** Returns the host with the address; 0 if there is none. */
    static int host(Ipv4Address address) {
        int host = (address.bits() & 0xff) - 100;
        return host >= 1 && host <= Settings.HOSTS_MAX ? host : 0;
    }

    /** Returns the node's own address on a network. */
    static Ipv4Address own(NodeId node, String network) {
        return address(network, 10 + number(node));
    }

    static MacAddress ownMac(NodeId node, String network) {
        return new MacAddress(0x0200_0000_0000L + octet(network) * 256L + number(node));
    }

    private static Ipv4Address address(String network, int host) {
        return Ipv4Address.parse("10.%d.0.%d".formatted(octet(network), host));
    }

    private static int octet(String network) {
        return switch (network) {
            case UPLINK -> 10;
            case "p2" -> 20;
            case "p3" -> 30;
            default -> throw new IllegalArgumentException(network);
        };
    }

    /** Returns the ports of a node's switch: per network one towards it and one of the node's own interface. */
    static SortedMap<String, SwitchPort> ports(NodeId node) {
        SortedMap<String, SwitchPort> ports = new TreeMap<>();
        for (String network : NETWORKS) {
            int port = port(network);
            ports.put("x-" + network, new SwitchPort(port, "x-" + network, new MacAddress(port)));
            ports.put(network, new SwitchPort(internal(network), network, ownMac(node, network)));
        }
        return ports;
    }

    /** Returns the number of the port towards a network. */
    static int port(String network) {
        return 1 + 2 * NETWORKS.indexOf(network);
    }

    /** Returns the number of the port of a node's own interface on a network. */
    static int internal(String network) {
        return port(network) + 1;
    }

    /** Returns a host of the segment. */
    static int hostIn(String segment) {
        return segmentOf(1).equals(segment) ? 1 : 2;
    }

    /** Returns what an operator writes to set the site up. */
    static List<Command> configuration(Settings settings) {
        List<Command> commands = new ArrayList<>();
        SEGMENTS.forEach(name -> commands.add(new Command.CreateSegment(segment(name, settings))));
        commands.add(
                new Command.CreatePool(new Pool(0, POOL, settings.algorithm(), settings.slots(), settings.monitor())
                        .withGuards(settings.guards())
                        .withMinEligible(settings.minEligible())));
        for (int host = 1; host <= settings.members(); host++) {
            commands.add(createMember(host, 1));
        }
        commands.add(new Command.CreateListener(
                POOL, new Listener(0, "web-http", VIP, Protocol.TCP, VIP_PORT, 0).withWhenEmpty(settings.whenEmpty())));
        return commands;
    }

    static Command createMember(int host, int weight) {
        return new Command.CreateMember(
                POOL, segmentOf(host), new Member(0, 0, 0, hostName(host), key(host), weight, AdminState.ENABLED));
    }

    private static Segment segment(String name, Settings settings) {
        SortedMap<NodeId, Ipv4Address> gateways = new TreeMap<>();
        nodes(settings.nodes()).forEach(node -> gateways.put(node, address(name, 250 - number(node))));
        return new Segment(0, name, new IpPrefix(address(name, 0), 24), gateways);
    }
}
