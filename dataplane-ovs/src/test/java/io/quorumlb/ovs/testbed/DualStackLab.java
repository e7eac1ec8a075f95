package io.quorumlb.ovs.testbed;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.testbed.DualStackSite.Role;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The networks of {@link DualStackSite} with a real Open vSwitch between them: a namespace with the switch and the
 * node's own interfaces, one with the router, which is the client too, and one for the host of each segment.
 */
public final class DualStackLab implements AutoCloseable {
    /** The IP protocol that the members of pool C serve: for experiments. */
    public static final int PROTOCOL = 253;

    /** Where clients are: not in a network of the node. */
    public static final int CLIENT_NETWORK = 50;

    private static final String PYTHON = "/usr/bin/python3";
    private static final List<String> TCP_PORTS =
            List.of("80", "8080", "8081", "9000", "9012", "9019", "9100", "12345");
    private static final List<String> UDP_PORTS = List.of("53", "5353", "9000", "9004", "12345");

    private final Path directory;
    private final List<Runnable> ends = new ArrayList<>();
    private final Namespace node;
    private final Namespace router;
    private final PrivateSwitch ovs;

    /** A namespace with one interface towards the switch. */
    private record Place(Namespace namespace, int port, int network) {
        String device() {
            return "eth" + network;
        }

        String switchPort() {
            return "sw" + network;
        }
    }

    private final List<Place> segments = new ArrayList<>();

    /** Builds everything; the directory must be empty. */
    public DualStackLab(Path directory) {
        for (String tool : List.of("ovs-vswitchd", "python3", "ethtool", "nft")) {
            OvsTools.require(tool);
        }
        this.directory = directory;
        node = namespace("node");
        router = namespace("router");
        ovs = PrivateSwitch.inNamespace(directory, node);
        ends.addFirst(ovs::close);
        attach(new Place(router, DualStackSite.UPLINK, 10), DualStackSite.ROUTER);
        for (int port : List.of(DualStackSite.P2, DualStackSite.P3)) {
            int network = port == DualStackSite.P2 ? 20 : 30;
            var host = new Place(namespace("host" + network), port, network);
            segments.add(host);
            attach(host, DualStackSite.host(port));
        }
        routes();
        script("client.py");
        segments.forEach(this::serve);
    }

    private Namespace namespace(String role) {
        var made = new Namespace(role);
        ends.addFirst(made::close);
        return made;
    }

    /** Connects a place with the switch and gives the node its own interface there. */
    private void attach(Place place, MacAddress mac) {
        String port = place.switchPort();
        place.namespace.connect(place.device(), node, port);
        up(place.namespace, place.device(), mac);
        // Without one a kernel asks for no neighbour on behalf of an address of another interface.
        address(place.namespace, place.device(), "fe80::%d:1/64".formatted(place.network));
        // A frame without its checksums cannot be repaired by a switch that rewrites it.
        place.namespace.run("ethtool", "-K", place.device(), "tx", "off");
        // The kernel must not see what the switch takes from the port.
        node.run("nft", "add table netdev guard");
        node.run(
                "nft",
                "add chain netdev guard %1$s { type filter hook ingress device %1$s priority 0; policy drop; }"
                        .formatted(port));
        node.ip("link", "set", port, "up");
        addPort(port, place.port, "system");
        String own = "own" + place.network;
        addPort(own, place.port + 1, "internal");
        node.ip("link", "set", own, "addrgenmode", "none");
        up(node, own, DualStackSite.own(place.network));
        for (IpFamily family : IpFamily.values()) {
            address(node, own, DualStackSite.address(family, place.network, 11) + length(family));
        }
        address(node, own, "fe80::%d/64".formatted(place.network));
    }

    private void addPort(String name, int number, String type) {
        ovs.vsctl(
                "add-port",
                PrivateSwitch.BRIDGE,
                name,
                "--",
                "set",
                "interface",
                name,
                "type=" + type,
                "ofport_request=" + number);
    }

    private static void up(Namespace namespace, String device, MacAddress mac) {
        namespace.ip("link", "set", device, "address", mac.toString(), "up");
    }

    private static void address(Namespace namespace, String device, String address) {
        var command = new ArrayList<>(List.of("address", "add", address, "dev", device));
        if (address.indexOf(':') >= 0) {
            command.add("nodad");
        }
        namespace.ip(command.toArray(String[]::new));
    }

    private static String length(IpFamily family) {
        return family == IpFamily.IPV4 ? "/24" : "/64";
    }

    private static String whole(IpFamily family) {
        return family == IpFamily.IPV4 ? "/32" : "/128";
    }

    /** The first VIP is on the router's link, so that it is asked for; the others are behind the node's own address. */
    private void routes() {
        for (IpFamily family : IpFamily.values()) {
            address(router, "eth10", DualStackSite.address(family, 10, 1) + length(family));
            address(router, "lo", DualStackSite.address(family, CLIENT_NETWORK, 1) + whole(family));
            router.ip("route", "add", DualStackSite.vip(family, 1) + whole(family), "dev", "eth10");
            for (int vip = 2; vip <= 3; vip++) {
                router.ip(
                        "route",
                        "add",
                        DualStackSite.vip(family, vip) + whole(family),
                        "via",
                        DualStackSite.address(family, 10, 11).toString());
            }
            for (Place place : segments) {
                for (DualStackSite.Site member : DualStackSite.members()) {
                    if (member.family() == family && member.network() == place.network) {
                        address(place.namespace, place.device(), member.address() + length(family));
                    }
                }
                var gateways = DualStackSite.gateways(family, place.network);
                place.namespace.ip(
                        "route",
                        "add",
                        DualStackSite.address(family, CLIENT_NETWORK, 0) + length(family),
                        "via",
                        // Its own in one segment, the one it took over in the other.
                        gateways.get(place.network == 20 ? 0 : 1).toString());
            }
        }
    }

    private String script(String name) {
        Path file = directory.resolve(name);
        try (InputStream resource = DualStackLab.class.getResourceAsStream("/testbed/" + name)) {
            if (resource == null) {
                throw new AssertionError("resource testbed/" + name + " is missing");
            }
            if (!Files.exists(file)) {
                Files.copy(resource, file);
            }
            return file.toString();
        } catch (IOException failed) {
            throw new AssertionError(file + ": " + failed.getMessage(), failed);
        }
    }

    private void serve(Place place) {
        var command = new ArrayList<>(List.of(PYTHON, script("member.py")));
        DualStackSite.members().stream()
                .filter(member -> member.network() == place.network)
                .map(member -> member.address() + (member.role() == Role.EVERYTHING ? "=" + PROTOCOL : ""))
                .forEach(command::add);
        command.add("--");
        command.addAll(TCP_PORTS);
        command.add("--");
        command.addAll(UDP_PORTS);
        try {
            Process server = new ProcessBuilder(place.namespace.inside(command.toArray(String[]::new)))
                    .redirectError(
                            directory.resolve("member" + place.network + ".err").toFile())
                    .start();
            ends.addFirst(server::destroy);
            var said = server.inputReader().readLine();
            if (!"ready".equals(said)) {
                throw new AssertionError("members of network %d said %s".formatted(place.network, said));
            }
        } catch (IOException failed) {
            throw new AssertionError("members of network " + place.network + ": " + failed.getMessage(), failed);
        }
    }

    /** Returns the switch. */
    public PrivateSwitch ovs() {
        return ovs;
    }

    /** Returns the namespace of the router, which clients ask from. */
    public Namespace router() {
        return router;
    }

    /** Returns the namespace of a segment's host. */
    public Namespace host(int network) {
        return segments.stream()
                .filter(place -> place.network == network)
                .findFirst()
                .orElseThrow()
                .namespace;
    }

    /** Lets a client in a namespace ask, as {@code client.py} says; returns its lines. */
    public List<String> ask(Namespace from, Object... arguments) {
        var command = new ArrayList<>(List.of(PYTHON, script("client.py")));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return from.run(command.toArray(String[]::new)).lines().toList();
    }

    @Override
    public void close() {
        ends.forEach(Runnable::run);
    }
}
