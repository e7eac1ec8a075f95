package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** How long it takes to look at the flows of 500 pools of 20 members with 256 slots each: medians, no switch needed. */
public final class ManyFlowsBench {
    private static final int POOLS = 500;
    private static final int MEMBERS = 20;
    private static final int ROUNDS = 11;
    private static final MacAddress MAC = MacAddress.parse("02:00:00:00:aa:01");

    private ManyFlowsBench() {}

    /** Prints the table. */
    public static void main(String[] arguments) {
        List<Flow> flows = Pipeline.flows(intent(100));
        List<Flow> others = Pipeline.flows(intent(0));
        SwitchSnapshot held = new SwitchSnapshot(
                FlowMap.of(flows, Flow::key).mapped(flow -> new InstalledFlow(flow, 0, 0, Duration.ZERO)),
                List.of(),
                new TreeMap<>());
        TreeSet<Integer> one = new TreeSet<>(List.of(POOLS / 2));
        System.out.printf("%d flows of %d pools%n", flows.size(), POOLS);
        measure("copy all without counters", held::ownFlows);
        measure("find those of one pool", () -> ReadBack.flowsOf(held, one));
        measure("work out what is desired", () -> Pipeline.flows(intent(100)));
        measure("compare, nothing differs", () -> FlowDelta.between(held.ownFlows(), flows));
        measure("compare, one member of each pool is out", () -> FlowDelta.between(held.ownFlows(), others));
    }

    private static void measure(String what, Runnable work) {
        long[] nanos = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            work.run();
            nanos[round] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf("%-42s %8.1f ms%n", what, nanos[ROUNDS / 2] / 1e6);
    }

    /** Returns what a node wants of its switch; of each pool the first member has the given weight, the others 100. */
    private static SwitchIntent intent(int first) {
        List<ServedPool> pools = new ArrayList<>();
        for (int id = 1; id <= POOLS; id++) {
            List<TableMember> table = new ArrayList<>();
            List<ServedMember> members = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++) {
                int member = id * MEMBERS + i;
                MemberKey key = MemberKey.parse("10.20.0.%d:%d".formatted(2 + i % 2, 10_000 + member / 2));
                table.add(TableMember.full(member, key, i == 0 ? first : 100));
                members.add(new ServedMember(member, key.ipv4().orElseThrow(), key.port(), "p2", Optional.of(MAC)));
            }
            SlotTable slots = SlotTable.build(HashAlgoVersion.V2, id, 256, table);
            pools.add(new ServedPool(id, 1, slots.digest(), slots, members));
        }
        return new SwitchIntent(
                port(1, "10.10.0.11"),
                new TreeMap<>(Map.of(IpFamily.IPV4, MAC)),
                new TreeMap<>(Map.of("p2", new SegmentPort(port(3, "10.20.0.11"), new TreeSet<>()))),
                List.of(),
                pools,
                new TreeSet<>(List.of(address("10.10.0.1"))));
    }

    private static Port port(int number, String own) {
        return new Port(number, number + 1, MAC, new TreeSet<>(List.of(address(own))));
    }

    private static IpAddress address(String text) {
        return Ipv4Address.parse(text);
    }
}
