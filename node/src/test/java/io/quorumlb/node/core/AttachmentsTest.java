package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node lacks one version of IP and carries the other. */
class AttachmentsTest {
    private static final SortedMap<IpFamily, IpAddress> BOTH = new TreeMap<>(Map.of(
            IpFamily.IPV4, IpAddress.parse("10.10.0.1"),
            IpFamily.IPV6, IpAddress.parse("fd00:10::1")));

    private static final Model MODEL = Model.empty()
            .with(new Segment(
                    1,
                    "p2",
                    List.of(
                            new Segment.Network(IpPrefix.parse("10.20.0.0/24"), new TreeMap<>()),
                            new Segment.Network(IpPrefix.parse("fd00:20::/64"), new TreeMap<>()))));

    private static NodeSettings settings(SortedMap<IpFamily, IpAddress> nextHops) {
        NodeSettings site = Site.settings(Site.N1, 1);
        return new NodeSettings(
                site.clusterId(),
                site.self(),
                site.voters(),
                site.incarnation(),
                site.uplink(),
                nextHops,
                site.segments());
    }

    private static Optional<NetworkView> view(String uplink, String p2) {
        SortedMap<String, InterfaceAddress> interfaces = new TreeMap<>();
        interfaces.put("uplink", link(uplink));
        interfaces.put("p2", link(p2));
        return Optional.of(new NetworkView(interfaces, new TreeMap<>()));
    }

    private static InterfaceAddress link(String addresses) {
        return new InterfaceAddress(
                new TreeSet<>(Stream.of(addresses.split(" ", -1))
                        .map(IpAddress::parse)
                        .toList()),
                new MacAddress(0x0200_0000_0001L));
    }

    private static String trouble(SortedMap<IpFamily, IpAddress> nextHops, IpFamily family, String uplink, String p2) {
        return Attachments.trouble(settings(nextHops), MODEL, view(uplink, p2), family)
                .orElse("");
    }

    @Test
    void withBothNothingIsWrong() {
        for (IpFamily family : IpFamily.values()) {
            assertEquals("", trouble(BOTH, family, "10.10.0.11 fd00:10::11 fe80::1", "10.20.0.11 fd00:20::11"));
        }
    }

    @Test
    void anAddressThatIsMissingIsNamedForItsVersionOnly() {
        String uplink = "10.10.0.11 fd00:10::11";
        assertEquals(
                "interface p2 of segment p2 has no address in fd00:20::/64",
                trouble(BOTH, IpFamily.IPV6, uplink, "10.20.0.11 fe80::1"));
        assertEquals("", trouble(BOTH, IpFamily.IPV4, uplink, "10.20.0.11 fe80::1"));
        assertEquals(
                "interface uplink of the uplink has no address of IPV6",
                trouble(BOTH, IpFamily.IPV6, "10.10.0.11 fe80::1", "10.20.0.11 fd00:20::11"));
    }

    @Test
    void aNextHopThatIsMissingIsNamed() {
        SortedMap<IpFamily, IpAddress> four = new TreeMap<>(BOTH.headMap(IpFamily.IPV6));
        assertEquals(
                "no next hop of IPV6 is configured on the uplink",
                trouble(four, IpFamily.IPV6, "10.10.0.11", "10.20.0.11"));
        assertEquals("", trouble(four, IpFamily.IPV4, "10.10.0.11", "10.20.0.11"));
    }

    @Test
    void whatWasNotReadIsNotJudged() {
        assertEquals(Optional.empty(), Attachments.trouble(settings(BOTH), MODEL, Optional.empty(), IpFamily.IPV6));
    }
}
