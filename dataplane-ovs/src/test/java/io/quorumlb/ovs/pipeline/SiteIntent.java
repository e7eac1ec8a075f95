package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a node of the site wants of its switch: one listener, one pool of version 1 with be1..be4 in two segments. */
final class SiteIntent {
    static final int POOL = 1;
    static final int SLOTS = 1024;
    static final Ipv4Address VIP = Ipv4Address.parse("10.99.0.10");
    static final MacAddress ROUTER = MacAddress.parse("02:00:00:00:aa:01");

    /** OpenFlow ports towards the networks. */
    static final int UPLINK = 1;

    static final int P2 = 3;
    static final int P3 = 5;

    private static final List<MemberKey> KEYS = List.of(
            MemberKey.parse("10.20.0.2:8080"),
            MemberKey.parse("10.30.0.2:8080"),
            MemberKey.parse("10.20.0.3:8080"),
            MemberKey.parse("10.30.0.3:8080"));

    private SiteIntent() {}

    /** Returns the intent of the n-th node, 1..3, with the given effective weights of be1..be4. */
    static SwitchIntent of(int node, int... weights) {
        SortedMap<String, SegmentPort> segments = new TreeMap<>();
        segments.put("p2", segment(node, P2, 20));
        segments.put("p3", segment(node, P3, 30));
        List<ServedMember> members = new ArrayList<>();
        for (int id = 1; id <= KEYS.size(); id++) {
            MemberKey key = KEYS.get(id - 1);
            members.add(new ServedMember(
                    id, key.ipv4().orElseThrow(), key.port(), id % 2 == 1 ? "p2" : "p3", Optional.of(mac(id))));
        }
        SlotTable table = table(weights);
        return new SwitchIntent(
                new Port(UPLINK, UPLINK + 1, ownMac(node, 10), new TreeSet<>(List.of(address(10, 10 + node)))),
                new TreeMap<>(Map.of(IpFamily.IPV4, ROUTER)),
                segments,
                List.of(new ServedListener(1, POOL, VIP, Traffic.port(Traffic.Transport.TCP, 80))),
                List.of(new ServedPool(POOL, 7, table.digest(), table, members)),
                new TreeSet<>(List.of(address(10, 1))));
    }

    static SwitchIntent allUp(int node) {
        return of(node, 1, 1, 1, 1);
    }

    static SlotTable table(int... weights) {
        List<TableMember> members = new ArrayList<>();
        for (int id = 1; id <= KEYS.size(); id++) {
            members.add(TableMember.full(id, KEYS.get(id - 1), weights[id - 1]));
        }
        return SlotTable.build(HashAlgoVersion.V1, POOL, SLOTS, members);
    }

    static SortedMap<FlowKey, Flow> byKey(List<Flow> flows) {
        SortedMap<FlowKey, Flow> byKey = new TreeMap<>();
        flows.forEach(flow -> {
            Flow other = byKey.put(flow.key(), flow);
            if (other != null) {
                throw new AssertionError("two flows have one key: " + other + " and " + flow);
            }
        });
        return byKey;
    }

    static MemberKey key(int member) {
        return KEYS.get(member - 1);
    }

    static MacAddress ownMac(int node, int network) {
        return new MacAddress(0x0200_0000_0000L + network * 256L + node);
    }

    private static MacAddress mac(int member) {
        return new MacAddress(0x0200_0000_be00L + member);
    }

    private static SegmentPort segment(int node, int number, int octet) {
        return new SegmentPort(
                new Port(number, number + 1, ownMac(node, octet), new TreeSet<>(List.of(address(octet, 10 + node)))),
                new TreeSet<>(List.of(address(octet, 250 + node))));
    }

    private static Ipv4Address address(int octet, int host) {
        return Ipv4Address.parse("10.%d.0.%d".formatted(octet, host));
    }
}
