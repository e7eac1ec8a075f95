package io.quorumlb.node.main;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.access.AccessSettings;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.ovs.install.DatapathType;
import io.quorumlb.ovs.install.PortType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Turns a parsed configuration file into a {@link NodeConfiguration} and collects all that is wrong with it. */
final class ConfigurationReader {
    private static final Duration ELECTION_MIN = Duration.ofMillis(100);
    private static final Duration ELECTION_MAX = Duration.ofSeconds(30);

    private final List<String> problems;

    /**
     * Makes a reader.
     *
     * @param problems takes one sentence per problem
     */
    ConfigurationReader(List<String> problems) {
        this.problems = problems;
    }

    /** Returns the configuration; empty if there are problems. */
    Optional<NodeConfiguration> read(JsonNode tree) {
        var root = new Section("", tree, problems);
        Optional<NodeId> self = root.value("node", NodeId::new);
        Section cluster = root.section("cluster");
        Optional<String> clusterId = cluster.value("id", Forms::name);
        SortedMap<NodeId, Ipv4Address> nodes = nodes(cluster);
        cluster.refuseOthers();
        self.filter(id -> !nodes.isEmpty() && !nodes.containsKey(id))
                .ifPresent(id -> root.problem(
                        "node",
                        "'%s' is not among cluster.nodes %s; list it there or correct the name"
                                .formatted(id, nodes.keySet())));
        Optional<NodeConfiguration.Ports> ports = ports(root);
        Optional<Path> data = root.value("data", Forms::path);
        Optional<NodeConfiguration.Ovs> ovs = ovs(root);
        Optional<NodeConfiguration.Dataplane> dataplane = dataplane(root);
        Section uplinkSection = root.section("uplink");
        Optional<Attachment> uplinkAttachment = attachment(uplinkSection);
        SortedMap<IpFamily, IpAddress> nextHops = nextHops(uplinkSection);
        uplinkSection.refuseOthers();
        SortedMap<String, Attachment> segments = segments(root);
        uplinkAttachment.ifPresent(attachment -> refuseSharedLinks(attachment, segments));
        Optional<NodeConfiguration.Announce> announce = announce(root, nextHops);
        Optional<NodeConfiguration.Election> election = election(root);
        Optional<AccessSettings> access = access(root);
        root.refuseOthers();
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new NodeConfiguration(
                self.orElseThrow(),
                clusterId.orElseThrow(),
                nodes,
                ports.orElseThrow(),
                data.orElseThrow(),
                ovs.orElseThrow(),
                dataplane.orElseThrow(),
                new NodeConfiguration.Uplink(uplinkAttachment.orElseThrow(), nextHops),
                segments,
                announce.orElseThrow(),
                election.orElseThrow(),
                access.orElseThrow()));
    }

    private static SortedMap<IpFamily, IpAddress> nextHops(Section uplink) {
        var nextHops = new TreeMap<IpFamily, IpAddress>();
        boolean six = uplink.has("nextHop6");
        if (uplink.has("nextHop") || !six) {
            uplink.value("nextHop", Forms::hostAddress).ifPresent(router -> nextHops.put(IpFamily.IPV4, router));
        }
        if (six) {
            uplink.value("nextHop6", Forms::hostAddress6).ifPresent(router -> nextHops.put(IpFamily.IPV6, router));
        }
        return nextHops;
    }

    private static SortedMap<NodeId, Ipv4Address> nodes(Section cluster) {
        var nodes = new TreeMap<NodeId, Ipv4Address>();
        for (Section entry : cluster.sections("nodes")) {
            Optional<NodeId> id = entry.value("id", NodeId::new);
            Optional<Ipv4Address> address = entry.value("address", Forms::hostAddress);
            entry.refuseOthers();
            if (id.isEmpty() || address.isEmpty()) {
                continue;
            }
            nodes.forEach((other, used) -> {
                if (used.equals(address.get())) {
                    entry.problem("address", "%s is the address of node '%s' already".formatted(used, other));
                }
            });
            if (nodes.putIfAbsent(id.get(), address.get()) != null) {
                entry.problem("id", "'%s' is listed twice; every node has its own id".formatted(id.get()));
            }
        }
        return nodes;
    }

    private static Optional<NodeConfiguration.Ports> ports(Section root) {
        if (!root.has("ports")) {
            return Optional.of(NodeConfiguration.Ports.DEFAULT);
        }
        Section section = root.section("ports");
        var seen = new TreeMap<Integer, String>();
        Optional<Integer> raft = port(section, "raft", NodeConfiguration.Ports.DEFAULT.raft(), seen);
        Optional<Integer> peer = port(section, "peer", NodeConfiguration.Ports.DEFAULT.peer(), seen);
        Optional<Integer> api = port(section, "api", NodeConfiguration.Ports.DEFAULT.api(), seen);
        Optional<Integer> json = port(section, "json", NodeConfiguration.Ports.DEFAULT.json(), seen);
        Optional<Integer> http = port(section, "http", NodeConfiguration.Ports.DEFAULT.http(), seen);
        section.refuseOthers();
        if (raft.isEmpty() || peer.isEmpty() || api.isEmpty() || json.isEmpty() || http.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new NodeConfiguration.Ports(raft.get(), peer.get(), api.get(), json.get(), http.get()));
    }

    private static Optional<Integer> port(Section section, String field, int otherwise, Map<Integer, String> seen) {
        Optional<Integer> port = section.value(field, Forms::port, otherwise);
        port.ifPresent(number -> {
            String other = seen.putIfAbsent(number, field);
            if (other != null) {
                section.problem(field, "%d is the port of '%s' already; give each its own".formatted(number, other));
            }
        });
        return port;
    }

    private static Optional<NodeConfiguration.Ovs> ovs(Section root) {
        Section section = root.section("ovs");
        Optional<String> bridge = section.value("bridge", Forms::link);
        Optional<Path> rundir = section.value("rundir", Forms::path);
        section.refuseOthers();
        return bridge.flatMap(name -> rundir.map(directory -> new NodeConfiguration.Ovs(name, directory)));
    }

    private static Optional<NodeConfiguration.Dataplane> dataplane(Section root) {
        NodeConfiguration.Dataplane otherwise = NodeConfiguration.Dataplane.DEFAULT;
        if (!root.has("dataplane")) {
            return Optional.of(otherwise);
        }
        Section section = root.section("dataplane");
        Optional<DatapathType> datapath =
                section.value("datapathType", text -> Forms.oneOf(DatapathType.class, text), otherwise.datapathType());
        Optional<PortType> port =
                section.value("portType", text -> Forms.oneOf(PortType.class, text), otherwise.portType());
        section.refuseOthers();
        if (datapath.equals(Optional.of(DatapathType.SYSTEM)) && port.equals(Optional.of(PortType.AF_XDP))) {
            section.problem(
                    "portType", "'af_xdp' needs datapathType 'netdev': the kernel's datapath takes frames itself");
        }
        return datapath.flatMap(type -> port.map(ports -> new NodeConfiguration.Dataplane(type, ports)));
    }

    private static Optional<Attachment> attachment(Section section) {
        Optional<String> port = section.value("port", Forms::link);
        Optional<String> interfaceName = section.value("interface", Forms::link);
        return port.flatMap(name -> interfaceName.map(inner -> new Attachment(name, inner)));
    }

    private SortedMap<String, Attachment> segments(Section root) {
        var segments = new TreeMap<String, Attachment>();
        root.named("segments").forEach((name, section) -> {
            try {
                Forms.name(name);
            } catch (IllegalArgumentException e) {
                problems.add("segments: " + e.getMessage());
            }
            attachment(section).ifPresent(attachment -> segments.put(name, attachment));
            section.refuseOthers();
        });
        return segments;
    }

    private void refuseSharedLinks(Attachment uplink, SortedMap<String, Attachment> segments) {
        var seen = new TreeMap<String, String>();
        refuseSharedLinks("uplink", uplink, seen);
        segments.forEach((name, attachment) -> refuseSharedLinks("segments." + name, attachment, seen));
    }

    private void refuseSharedLinks(String path, Attachment attachment, Map<String, String> seen) {
        noteLink(path + ".port", attachment.port(), seen);
        noteLink(path + ".interface", attachment.interfaceName(), seen);
    }

    private void noteLink(String path, String link, Map<String, String> seen) {
        String other = seen.putIfAbsent(link, path);
        if (other != null) {
            problems.add(
                    "%s: '%s' is %s already; each port and interface serves one network".formatted(path, link, other));
        }
    }

    private static Optional<NodeConfiguration.Announce> announce(
            Section root, SortedMap<IpFamily, IpAddress> nextHops) {
        Section section = root.section("announce");
        Optional<Path> socket = section.value("birdSocket", Forms::socketPath);
        var vips = new TreeMap<IpFamily, Path>();
        var seen = new TreeMap<Path, String>();
        for (IpFamily family : IpFamily.values()) {
            String field = family == IpFamily.IPV4 ? "vips" : "vips6";
            // Without a next hop nothing of that version is announced; the field may be there all the same.
            if (nextHops.containsKey(family) || section.has(field)) {
                file(section, field, seen).ifPresent(path -> vips.put(family, path));
            }
        }
        Optional<Path> lease = file(section, "lease", seen);
        section.refuseOthers();
        return socket.flatMap(path -> lease.map(confirmed -> new NodeConfiguration.Announce(path, vips, confirmed)));
    }

    private static Optional<Path> file(Section section, String field, SortedMap<Path, String> seen) {
        Optional<Path> file = section.value(field, Forms::path);
        file.ifPresent(path -> {
            String other = seen.putIfAbsent(path, field);
            if (other != null) {
                section.problem(field, "%s is announce.%s already; give it a file of its own".formatted(path, other));
            }
        });
        return file;
    }

    private static Optional<NodeConfiguration.Election> election(Section root) {
        if (!root.has("election")) {
            return Optional.of(NodeConfiguration.Election.DEFAULT);
        }
        Section section = root.section("election");
        Optional<Duration> min = section.value("min", text -> Forms.duration(text, ELECTION_MIN, ELECTION_MAX));
        Optional<Duration> max = section.value("max", text -> Forms.duration(text, ELECTION_MIN, ELECTION_MAX));
        section.refuseOthers();
        if (min.isEmpty() || max.isEmpty()) {
            return Optional.empty();
        }
        if (max.get().compareTo(min.get()) <= 0) {
            section.problem(
                    "max",
                    "%dms must be more than election.min, %dms"
                            .formatted(max.get().toMillis(), min.get().toMillis()));
        }
        return Optional.of(new NodeConfiguration.Election(min.get(), max.get()));
    }

    private static Optional<AccessSettings> access(Section root) {
        if (!root.has("access")) {
            return Optional.of(new AccessSettings.Loopback());
        }
        if (root.hasValue("access")) {
            return root.value("access", ConfigurationReader::open);
        }
        Section section = root.section("access");
        Optional<Path> certificate = section.value("certificate", Forms::path);
        Optional<Path> key = section.value("key", Forms::path);
        Optional<Path> clientCa = section.value("clientCa", Forms::path);
        Optional<Path> tokens = section.has("tokens") ? section.value("tokens", Forms::path) : Optional.empty();
        section.refuseOthers();
        if (certificate.isEmpty() || key.isEmpty() || clientCa.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new AccessSettings.Secured(certificate.get(), key.get(), clientCa.get(), tokens));
    }

    private static AccessSettings open(String word) {
        if (!word.equals("open")) {
            throw new IllegalArgumentException(
                    "'%s': 'open', or a section with certificate, key and clientCa expected".formatted(word));
        }
        return new AccessSettings.Open();
    }
}
