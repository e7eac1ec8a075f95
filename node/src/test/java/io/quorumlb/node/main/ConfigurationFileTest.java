package io.quorumlb.node.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.access.AccessSettings;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.ovs.install.DatapathType;
import io.quorumlb.ovs.install.PortType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationFileTest {
    static final String GOOD = """
            node: n1
            cluster:
              id: quorumlb-site
              nodes:
                - {id: n1, address: 172.30.0.11}
                - {id: n2, address: 172.30.0.12}
                - {id: n3, address: 172.30.0.13}
            ports: {raft: 7501, peer: 7502, api: 7500, json: 7503, http: 7580}
            data: /var/lib/quorumlb
            ovs: {bridge: br-lb, rundir: /run/openvswitch}
            dataplane: {datapathType: netdev, portType: af_xdp}
            uplink: {port: x-uplink, interface: uplink, nextHop: 10.10.0.1, nextHop6: "fd00:10::1"}
            segments:
              p2: {port: x-p2, interface: p2}
              p3: {port: x-p3, interface: p3}
            announce:
              birdSocket: /run/bird/bird.ctl
              vips: /run/quorumlb/vips.conf
              vips6: /run/quorumlb/vips6.conf
              lease: /run/quorumlb/lease
            election: {min: 300ms, max: 1s}
            """;

    @TempDir
    private Path directory;

    @Test
    void readsEveryField() throws Exception {
        Path file = Files.writeString(directory.resolve("node.yaml"), GOOD);
        NodeConfiguration configuration = ConfigurationFile.load(file);

        assertEquals(new NodeId("n1"), configuration.self());
        assertEquals("quorumlb-site", configuration.clusterId());
        assertEquals(3, configuration.nodes().size());
        assertEquals(Ipv4Address.parse("172.30.0.11"), configuration.address());
        assertEquals(new NodeConfiguration.Ports(7501, 7502, 7500, 7503, 7580), configuration.ports());
        assertEquals(Path.of("/var/lib/quorumlb"), configuration.data());
        assertEquals(new NodeConfiguration.Ovs("br-lb", Path.of("/run/openvswitch")), configuration.ovs());
        assertEquals(new NodeConfiguration.Dataplane(DatapathType.NETDEV, PortType.AF_XDP), configuration.dataplane());
        assertEquals(
                new NodeConfiguration.Uplink(
                        new Attachment("x-uplink", "uplink"),
                        new TreeMap<>(Map.of(
                                IpFamily.IPV4, IpAddress.parse("10.10.0.1"),
                                IpFamily.IPV6, IpAddress.parse("fd00:10::1")))),
                configuration.uplink());
        assertEquals(new Attachment("x-p3", "p3"), configuration.segments().get("p3"));
        assertEquals(
                Map.of(
                        IpFamily.IPV4, Path.of("/run/quorumlb/vips.conf"),
                        IpFamily.IPV6, Path.of("/run/quorumlb/vips6.conf")),
                configuration.announce().vips());
        assertEquals(Path.of("/run/quorumlb/lease"), configuration.announce().lease());
        assertEquals(
                new NodeConfiguration.Election(Duration.ofMillis(300), Duration.ofSeconds(1)),
                configuration.election());
        assertEquals(2, configuration.settings(1).majority());
    }

    @Test
    void portsDataplaneAndElectionHaveDefaults() throws Exception {
        NodeConfiguration configuration = ConfigurationFile.parse(
                "node.yaml",
                GOOD.replaceAll("(?m)^(ports|dataplane|election):.*\n", "").replace("id: quorumlb-site", "id: x"));

        assertEquals(new NodeConfiguration.Ports(7401, 7402, 7400, 7403, 7480), configuration.ports());
        assertEquals(
                new NodeConfiguration.Dataplane(DatapathType.NETDEV, PortType.AF_PACKET), configuration.dataplane());
        assertEquals(
                new NodeConfiguration.Election(Duration.ofMillis(500), Duration.ofMillis(1000)),
                configuration.election());
    }

    @Test
    void accessIsOnLoopbackUnlessItSaysOtherwise() throws Exception {
        assertEquals(
                new AccessSettings.Loopback(),
                ConfigurationFile.parse("node.yaml", GOOD).access());
        assertEquals(
                new AccessSettings.Open(),
                ConfigurationFile.parse("node.yaml", GOOD + "access: open\n").access());
        String files = "access: {certificate: /a/node.crt, key: /a/node.key, clientCa: /a/ca.crt%s}\n";
        assertEquals(
                new AccessSettings.Secured(
                        Path.of("/a/node.crt"), Path.of("/a/node.key"), Path.of("/a/ca.crt"), Optional.empty()),
                ConfigurationFile.parse("node.yaml", GOOD + files.formatted("")).access());
        assertEquals(
                new AccessSettings.Secured(
                        Path.of("/a/node.crt"),
                        Path.of("/a/node.key"),
                        Path.of("/a/ca.crt"),
                        Optional.of(Path.of("/a/tokens"))),
                ConfigurationFile.parse("node.yaml", GOOD + files.formatted(", tokens: /a/tokens"))
                        .access());
        assertProblem(GOOD + "access: closed\n", "access: 'closed': 'open', or a section with certificate, key and");
        assertProblem(GOOD + "access: {certificate: a, key: /b}\n", "access.certificate: 'a' is not an absolute path");
        assertProblem(GOOD + "access: {certificate: /a, key: /b}\n", "access.clientCa: is missing");
        assertProblem(
                GOOD + files.formatted(", token: /x"), "access.token: is not a known field; did you mean 'tokens'?");
    }

    @Test
    void oneVersionOfIpIsEnough() throws Exception {
        String four = GOOD.replace(", nextHop6: \"fd00:10::1\"", "").replaceAll("(?m)^ +vips6:.*\n", "");
        String six = GOOD.replace("nextHop: 10.10.0.1, ", "").replaceAll("(?m)^ +vips:.*\n", "");
        assertEquals(
                List.of(IpFamily.IPV4),
                List.copyOf(ConfigurationFile.parse("node.yaml", four)
                        .settings(1)
                        .nextHops()
                        .keySet()));
        assertEquals(
                List.of(IpFamily.IPV6),
                List.copyOf(ConfigurationFile.parse("node.yaml", six)
                        .announce()
                        .vips()
                        .keySet()));
    }

    @ParameterizedTest(name = "{1} instead of {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "node: n1|node: n4|node: 'n4' is not among cluster.nodes [n1, n2, n3]; list it there or correct the name",
                "node: n1|node: N1|node: node id 'N1': 1 to 63 of a-z, 0-9 and -, not starting with -, expected",
                "node: n1|nodes: n1|node: is missing; give it a value",
                "node: n1|nodes: n1|nodes: is not a known field; did you mean 'node'?",
                "node: n1|node: [n1]|node: must be one value, is a list",
                "id: n2,|id: n1,|cluster.nodes[1].id: 'n1' is listed twice; every node has its own id",
                "172.30.0.12|172.30.0.11|cluster.nodes[1].address: 172.30.0.11 is the address of node 'n1' already",
                "172.30.0.12|0.0.0.0|cluster.nodes[1].address: '0.0.0.0' is not the address of one host",
                "172.30.0.12|224.0.0.1|cluster.nodes[1].address: '224.0.0.1' is not the address of one host",
                "172.30.0.12|172.30.0|cluster.nodes[1].address: address '172.30.0' is not IPv4",
                "- {id: n2, address: 172.30.0.12}|- n2|cluster.nodes[1]: must be a section of 'name: value' fields, is 'n2'",
                "raft: 7501|raft: 0|ports.raft: '0' is not a TCP port: 1..65535 expected",
                "raft: 7501|raft: 65536|ports.raft: '65536' is not a TCP port: 1..65535 expected",
                "raft: 7501|raft: -1|ports.raft: '-1' is not a TCP port: 1..65535 expected",
                "peer: 7502|peer: 7501|ports.peer: 7501 is the port of 'raft' already; give each its own",
                "peer: 7502|pear: 7502|ports.pear: is not a known field; did you mean 'peer'?",
                "peer: 7502|grpc: 7502|ports.grpc: is not a known field; known here: api, http, json, peer, raft",
                "data: /var|data: var|data: 'var/lib/quorumlb' is not an absolute path; start it with /",
                "bridge: br-lb|bridge: br-lb-much-too-long|ovs.bridge: 'br-lb-much-too-long' is not an interface name",
                "ovs: {bridge: br-lb, rundir: /run/openvswitch}|ovs: br-lb|ovs: must be a section of 'name: value' fields",
                "portType: af_xdp|portType: dpdk|dataplane.portType: 'dpdk' is not one of: af_packet, af_xdp",
                "portType: af_xdp|port_type: af_xdp|dataplane.port_type: is not a known field; did you mean 'portType'?",
                "datapathType: netdev|datapathType: system|dataplane.portType: 'af_xdp' needs datapathType 'netdev'",
                "nextHop: 10.10.0.1|nexthop: 10.10.0.1|uplink.nexthop: is not a known field; did you mean 'nextHop'?",
                "fd00:10::1|10.10.0.1|uplink.nextHop6: address '10.10.0.1' is not IPv6",
                "fd00:10::1|ff02::1|uplink.nextHop6: 'ff02::1' is not the address of one host",
                "/run/quorumlb/vips6.conf|/run/quorumlb/vips.conf|announce.vips6: /run/quorumlb/vips.conf is announce.vips",
                "vips6:|vips7:|announce.vips6: is missing; give it a value",
                "port: x-p3|port: x-p2|segments.p3.port: 'x-p2' is segments.p2.port already",
                "interface: p3|interface: uplink|segments.p3.interface: 'uplink' is uplink.interface already",
                "/run/quorumlb/lease|/run/quorumlb/vips.conf|announce.lease: /run/quorumlb/vips.conf is announce.vips",
                "min: 300ms|min: 300|election.min: '300' is not a duration, for example 300ms or 2s",
                "min: 300ms|min: 5ms|election.min: '5ms' is outside 100ms..30000ms",
                "max: 1s|max: 300ms|election.max: 300ms must be more than election.min, 300ms",
                "node: n1|node: n1\\nnode: n1|line 2 is not valid YAML: Duplicate",
                "node: n1|node: {n1|is not valid YAML: ",
            })
    void eachMistakeIsNamed(String good, String bad, String expected) {
        assertProblem(GOOD.replace(good, bad.replace("\\n", "\n")), expected);
    }

    @Test
    void sectionsThatAreMissingAreNamedOnce() {
        var refused = assertThrows(
                ConfigurationException.class, () -> ConfigurationFile.parse("node.yaml", "node: n1\nsegments: {}\n"));
        assertEquals("""
                configuration node.yaml cannot be used:
                  cluster: is missing; write a section with its fields
                  data: is missing; give it a value
                  ovs: is missing; write a section with its fields
                  uplink: is missing; write a section with its fields
                  segments: has no entry; at least one is needed
                  announce: is missing; write a section with its fields""".strip(), refused.getMessage());
    }

    @Test
    void whatIsNoConfigurationIsRefused() throws Exception {
        assertProblem("", "it must be YAML with 'name: value' fields");
        assertProblem("- a\n", "it must be YAML with 'name: value' fields");
        assertProblem("\u0001", "is not valid YAML");

        Path absent = directory.resolve("absent.yaml");
        assertEquals(
                "configuration %s cannot be used:\n  there is no such file".formatted(absent),
                assertThrows(ConfigurationException.class, () -> ConfigurationFile.load(absent))
                        .getMessage());
        Path binary = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertTrue(assertThrows(ConfigurationException.class, () -> ConfigurationFile.load(binary))
                .getMessage()
                .endsWith("it is not text in UTF-8"));
        assertTrue(assertThrows(ConfigurationException.class, () -> ConfigurationFile.load(directory))
                .getMessage()
                .contains("it cannot be read: "));
    }

    private static void assertProblem(String text, String expected) {
        var refused = assertThrows(ConfigurationException.class, () -> ConfigurationFile.parse("node.yaml", text));
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
    }
}
