package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.pipeline.SwitchIntent.Standing;
import io.quorumlb.ovs.testbed.EmptyPoolSite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** To look at the pools that differ is as good as to look at everything. */
class PipelineDifferenceTest {
    private static final int WALKS = 60;
    private static final int STEPS = 12;
    private static final int KINDS = 12;

    static Stream<Function<IpFamily, WhenEmpty>> policies() {
        return Stream.of(
                _ -> new WhenEmpty.Drop(),
                _ -> new WhenEmpty.Reject(),
                _ -> new WhenEmpty.FailOpen(),
                EmptyPoolSite::fallback,
                _ -> new WhenEmpty.Withdraw());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void theFlowsOfDifferentPoolsAreTheWholeDifference(Function<IpFamily, WhenEmpty> policy) {
        int scoped = 0;
        int whole = 0;
        for (int seed = 0; seed < WALKS; seed++) {
            var random = new Random(seed);
            SwitchIntent before = EmptyPoolSite.serving(policy);
            SwitchIntent after = before;
            for (int step = 0; step < STEPS; step++) {
                after = changed(after, random);
                Optional<SortedSet<Integer>> pools = Pipeline.difference(before, after);
                if (pools.isPresent()) {
                    scoped++;
                    assertSame(before, after, pools.get(), "seed %d, step %d".formatted(seed, step));
                } else {
                    whole++;
                }
                if (random.nextInt(3) == 0) {
                    before = after;
                }
            }
        }
        assertTrue(scoped > WALKS && whole > WALKS, "%d scoped, %d whole".formatted(scoped, whole));
    }

    private static void assertSame(SwitchIntent before, SwitchIntent after, SortedSet<Integer> pools, String where) {
        assertEquals(new TreeMap<>(of(after, pools)), byKey(Pipeline.flows(after, pools)), where);
        FlowDelta all = FlowDelta.between(byKey(Pipeline.flows(before)), Pipeline.flows(after));
        assertEquals(all, FlowDelta.between(of(before, pools), Pipeline.flows(after, pools)), where);
    }

    private static SortedMap<FlowKey, Flow> of(SwitchIntent intent, SortedSet<Integer> pools) {
        SortedMap<FlowKey, Flow> flows = byKey(Pipeline.flows(intent));
        flows.values().removeIf(flow -> !pools.contains(Cookie.pool(flow.cookie())));
        return flows;
    }

    private static SortedMap<FlowKey, Flow> byKey(List<Flow> flows) {
        SortedMap<FlowKey, Flow> byKey = new TreeMap<>();
        flows.forEach(flow -> byKey.put(flow.key(), flow));
        return byKey;
    }

    private static SwitchIntent changed(SwitchIntent intent, Random random) {
        int at = random.nextInt(intent.pools().size());
        ServedPool pool = intent.pools().get(at);
        int who = random.nextInt(pool.members().size());
        ServedMember member = pool.members().get(who);
        return switch (random.nextInt(KINDS)) {
            case 0 ->
                with(
                        intent,
                        at,
                        with(
                                pool,
                                who,
                                mac(
                                        member,
                                        Optional.of(
                                                MacAddress.parse("02:00:00:00:bb:0%d".formatted(random.nextInt(9)))))));
            case 1 -> with(intent, at, with(pool, who, mac(member, Optional.empty())));
            case 2, 3 ->
                with(
                        intent,
                        at,
                        with(pool, table(pool.table(), who, random.nextInt(2)), pool.failOpen(), pool.standing()));
            case 4 -> with(intent, at, with(pool, pool.table(), pool.failOpen(), Standing.EMPTY));
            case 5 -> with(intent, at, with(pool, pool.table(), pool.failOpen(), Standing.SERVING));
            case 6 ->
                with(
                        intent,
                        at,
                        with(
                                pool,
                                pool.table(),
                                pool.failOpen().isPresent() ? Optional.empty() : Optional.of(pool.table()),
                                pool.standing()));
            case 7 ->
                with(
                        intent,
                        at,
                        with(
                                pool,
                                who,
                                new ServedMember(
                                        member.id(),
                                        other(member.address()),
                                        member.port(),
                                        member.segment(),
                                        member.mac())));
            case 8 -> {
                SortedMap<IpFamily, MacAddress> hops = new TreeMap<>(intent.nextHops());
                hops.put(IpFamily.IPV4, MacAddress.parse("02:00:00:00:cc:0%d".formatted(random.nextInt(9))));
                yield new SwitchIntent(
                        intent.uplink(),
                        hops,
                        intent.segments(),
                        intent.listeners(),
                        intent.pools(),
                        intent.routers(),
                        intent.slotFunction());
            }
            case 9 -> intent.by(random.nextBoolean() ? SlotFunction.DP_HASH : SlotFunction.MULTIPATH);
            case 10 -> {
                List<ServedListener> listeners = new ArrayList<>(intent.listeners());
                if (listeners.size() > 1) {
                    listeners.remove(random.nextInt(listeners.size()));
                }
                yield new SwitchIntent(
                        intent.uplink(),
                        intent.nextHops(),
                        intent.segments(),
                        listeners,
                        intent.pools(),
                        intent.routers(),
                        intent.slotFunction());
            }
            default -> {
                List<ServedPool> pools = new ArrayList<>(intent.pools());
                if (pools.size() > 2) {
                    pools.remove(at);
                }
                yield with(intent, pools);
            }
        };
    }

    private static IpAddress other(IpAddress address) {
        String text = address.toString();
        return IpAddress.parse(text.substring(0, text.length() - 1) + (text.endsWith("9") ? "8" : "9"));
    }

    private static ServedMember mac(ServedMember member, Optional<MacAddress> mac) {
        return new ServedMember(member.id(), member.address(), member.port(), member.segment(), mac);
    }

    private static SlotTable table(SlotTable table, int who, int weight) {
        PoolDefinition all = table.definition();
        List<TableMember> members = new ArrayList<>(all.members());
        members.set(who % members.size(), members.get(who % members.size()).withEffective(weight));
        return SlotTable.build(new PoolDefinition(all.version(), all.poolId(), all.slots(), members));
    }

    private static ServedPool with(ServedPool pool, SlotTable table, Optional<SlotTable> failOpen, Standing standing) {
        return new ServedPool(
                pool.id(), pool.generation() + 1, table.digest(), table, pool.members(), failOpen, standing);
    }

    private static ServedPool with(ServedPool pool, int who, ServedMember member) {
        List<ServedMember> members = new ArrayList<>(pool.members());
        members.set(who, member);
        return pool.with(members);
    }

    private static SwitchIntent with(SwitchIntent intent, int at, ServedPool pool) {
        List<ServedPool> pools = new ArrayList<>(intent.pools());
        pools.set(at, pool);
        return with(intent, pools);
    }

    private static SwitchIntent with(SwitchIntent intent, List<ServedPool> pools) {
        return new SwitchIntent(
                intent.uplink(),
                intent.nextHops(),
                intent.segments(),
                intent.listeners(),
                pools,
                intent.routers(),
                intent.slotFunction());
    }
}
