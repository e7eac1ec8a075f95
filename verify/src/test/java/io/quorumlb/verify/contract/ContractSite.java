package io.quorumlb.verify.contract;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a node wants of its switch in these tests: two pools in two segments, and a third without anybody to serve. */
final class ContractSite {
    static final int SLOTS = 256;
    static final Ipv4Address VIP = Ipv4Address.parse("10.99.0.10");
    static final Ipv4Address OTHER_VIP = Ipv4Address.parse("10.99.0.11");
    static final MacAddress ROUTER = MacAddress.parse("02:00:00:00:aa:01");

    /** OpenFlow ports towards the networks; the node's own port of each has the next number. */
    static final int UPLINK = 1;

    static final int P2 = 3;
    static final int P3 = 5;
    static final int PORTS = 6;

    /**
     * A member of these tests.
     *
     * @param number id; odd ones are in segment p2
     * @param pool pool id
     * @param weight effective weight
     */
    record Site(int number, int pool, int weight) {
        Ipv4Address address() {
            return Ipv4Address.parse("10.%d.0.%d".formatted(number % 2 == 1 ? 20 : 30, 100 + number));
        }

        MacAddress mac() {
            return new MacAddress(0x0200_0000_be00L + number);
        }

        int port() {
            return number % 2 == 1 ? P2 : P3;
        }

        TableMember inTable() {
            var key = new MemberKey(address(), 8080);
            return TableMember.full(number, key, 10).withEffective(weight);
        }

        ServedMember served() {
            return new ServedMember(number, address(), 8080, number % 2 == 1 ? "p2" : "p3", Optional.of(mac()));
        }
    }

    private ContractSite() {}

    /** Returns members 1 to 5 in pool 1, 6 and 7 in pool 2, 8 in pool 3. Number 4 is drained, 8 is out. */
    static List<Site> members() {
        return List.of(
                new Site(1, 1, 10),
                new Site(2, 1, 10),
                new Site(3, 1, 5),
                new Site(4, 1, 0),
                new Site(5, 1, 10),
                new Site(6, 2, 10),
                new Site(7, 2, 10),
                new Site(8, 3, 0));
    }

    static Site member(int number) {
        return members().get(number - 1);
    }

    static SlotTable table(int pool) {
        return SlotTable.build(
                HashAlgoVersion.V2,
                pool,
                SLOTS,
                members().stream()
                        .filter(member -> member.pool() == pool)
                        .map(Site::inTable)
                        .toList());
    }

    /** Returns the intent: pool 1 at VIP:80, pool 2 at VIP:443, pool 3 at the other VIP, port 80. */
    static SwitchIntent intent() {
        SortedMap<String, SegmentPort> segments = new TreeMap<>();
        segments.put("p2", segment(P2, 20));
        segments.put("p3", segment(P3, 30));
        List<ServedPool> pools = new ArrayList<>();
        for (int pool = 1; pool <= 3; pool++) {
            int id = pool;
            SlotTable table = table(pool);
            pools.add(new ServedPool(
                    pool,
                    7,
                    table.digest(),
                    table,
                    members().stream()
                            .filter(member -> member.pool() == id)
                            .map(Site::served)
                            .toList()));
        }
        return new SwitchIntent(
                new Port(UPLINK, UPLINK + 1, own(10), new TreeSet<>(List.of(Ipv4Address.parse("10.10.0.11")))),
                new TreeMap<>(Map.of(IpFamily.IPV4, ROUTER)),
                segments,
                List.of(
                        new ServedListener(1, 1, VIP, Traffic.port(Traffic.Transport.TCP, 80)),
                        new ServedListener(2, 2, VIP, Traffic.port(Traffic.Transport.TCP, 443)),
                        new ServedListener(3, 3, OTHER_VIP, Traffic.port(Traffic.Transport.TCP, 80))),
                pools,
                new TreeSet<>(List.of(Ipv4Address.parse("10.10.0.1"))));
    }

    /** Returns the node's own MAC address in a network. */
    static MacAddress own(int network) {
        return new MacAddress(0x0200_0000_0001L + network * 256L);
    }

    private static SegmentPort segment(int number, int octet) {
        return new SegmentPort(
                new Port(
                        number,
                        number + 1,
                        own(octet),
                        new TreeSet<>(List.of(Ipv4Address.parse("10.%d.0.11".formatted(octet))))),
                new TreeSet<>(List.of(Ipv4Address.parse("10.%d.0.251".formatted(octet)))));
    }
}
