package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** What the flows of a switch say, whoever put them there. */
public final class ReadBack {
    private ReadBack() {}

    /**
     * Returns the slot tables that a switch forwards by, by pool id.
     *
     * @param flows flows read from the switch
     * @param definitions what each table should be built from, by pool id: gives M, slots outside are left out
     */
    public static SortedMap<Integer, SlotTable> slotTables(
            Collection<Flow> flows, SortedMap<Integer, PoolDefinition> definitions) {
        SortedMap<Integer, SortedMap<Integer, Integer>> ownersByPool = new TreeMap<>();
        definitions.keySet().forEach(pool -> ownersByPool.put(pool, new TreeMap<>()));
        for (Flow flow : flows) {
            if (flow.key().table() != PipelineTable.SLOTS.id()) {
                continue;
            }
            OptionalInt pool = matched(flow, Field.REG0);
            OptionalInt slot = matched(flow, Field.REG1);
            if (pool.isPresent() && slot.isPresent()) {
                PoolDefinition definition = definitions.get(pool.getAsInt());
                SortedMap<Integer, Integer> owners = ownersByPool.get(pool.getAsInt());
                if (definition != null
                        && owners != null
                        && Integer.compareUnsigned(slot.getAsInt(), definition.slots()) < 0) {
                    owners.put(slot.getAsInt(), owner(flow));
                }
            }
        }
        SortedMap<Integer, SlotTable> tables = new TreeMap<>();
        definitions.forEach((pool, definition) ->
                tables.put(pool, SlotTable.readBack(definition, ownersByPool.getOrDefault(pool, new TreeMap<>()))));
        return Collections.unmodifiableSortedMap(tables);
    }

    /**
     * Returns the pools that a change is about; empty if it changes flows that are of no pool.
     *
     * @param held own flows before it
     */
    public static Optional<SortedSet<Integer>> pools(FlowDelta delta, SortedMap<FlowKey, InstalledFlow> held) {
        SortedSet<Integer> pools = new TreeSet<>();
        delta.putGroups().forEach(group -> pools.add(SlotFunctions.poolOf(group.id())));
        delta.deleteGroups().forEach(group -> pools.add(SlotFunctions.poolOf(group)));
        delta.add().forEach(flow -> {
            pools.add(Cookie.pool(flow.cookie()));
            Optional.ofNullable(held.get(flow.key()))
                    .ifPresent(replaced -> pools.add(Cookie.pool(replaced.flow().cookie())));
        });
        delta.delete()
                .forEach(key -> pools.add(Optional.ofNullable(held.get(key))
                        .map(gone -> Cookie.pool(gone.flow().cookie()))
                        .orElse(0)));
        return pools.contains(0) ? Optional.empty() : Optional.of(pools);
    }

    /**
     * Returns the pools of which a switch holds something else than before; empty if that may be of no pool, as ports are.
     */
    public static Optional<SortedSet<Integer>> changed(SwitchSnapshot before, SwitchSnapshot now) {
        if (!before.ports().equals(now.ports()) || !before.groups().equals(now.groups())) {
            return Optional.empty();
        }
        SortedSet<Integer> pools = new TreeSet<>();
        now.differing(before).forEach(flow -> pools.add(Cookie.pool(flow.cookie())));
        return pools.contains(0) ? Optional.empty() : Optional.of(pools);
    }

    /**
     * Returns what a switch holds after the flows of some pools were read anew.
     *
     * @param whole what it held when it was read whole
     * @param pools those that were read anew
     * @param part their flows, with all ports and groups
     */
    public static SwitchSnapshot updated(SwitchSnapshot whole, SortedSet<Integer> pools, SwitchSnapshot part) {
        FlowMap<InstalledFlow> others = whole.own().filtered(ofOneOf(pools).negate());
        return new SwitchSnapshot(others.with(part.own()), whole.foreign(), part.ports(), part.groups());
    }

    /** Returns the flows of ours whose cookies name one of the pools, without counters. */
    public static FlowMap<Flow> flowsOf(SwitchSnapshot snapshot, SortedSet<Integer> pools) {
        return snapshot.own().filtered(ofOneOf(pools)).mapped(InstalledFlow::flow);
    }

    /** A bit for each pool: this is asked for every flow of a switch. */
    private static Predicate<InstalledFlow> ofOneOf(SortedSet<Integer> pools) {
        BitSet asked = new BitSet();
        pools.forEach(asked::set);
        return held -> asked.get(Cookie.pool(held.flow().cookie()));
    }

    /** Returns the MAC addresses that packets to members get, by member id. */
    public static SortedMap<Integer, MacAddress> memberMacs(Collection<Flow> flows) {
        SortedMap<Integer, MacAddress> macs = new TreeMap<>();
        for (Flow flow : flows) {
            if (flow.key().table() == PipelineTable.EGRESS.id()
                    && Cookie.isKind(flow.cookie(), Cookie.Kind.EGRESS)
                    && Cookie.object(flow.cookie()) != 0) {
                written(flow, Field.ETH_DST)
                        .ifPresent(mac -> macs.put(Cookie.object(flow.cookie()), new MacAddress(mac)));
            }
        }
        return Collections.unmodifiableSortedMap(macs);
    }

    /** Returns the MAC addresses that replies of each family get; a family whose replies the switch drops is absent. */
    public static SortedMap<IpFamily, MacAddress> nextHopMacs(Collection<Flow> flows) {
        SortedMap<IpFamily, MacAddress> macs = new TreeMap<>();
        for (Flow flow : flows) {
            if (flow.key().table() == PipelineTable.RETURN_EGRESS.id()) {
                written(flow, Field.ETH_DST)
                        .ifPresent(mac -> macs.put(
                                matched(flow, Field.ETH_TYPE).equals(OptionalInt.of(Headers.ETH_TYPE_IPV6))
                                        ? IpFamily.IPV6
                                        : IpFamily.IPV4,
                                new MacAddress(mac)));
            }
        }
        return Collections.unmodifiableSortedMap(macs);
    }

    private static OptionalInt matched(Flow flow, Field field) {
        return flow.key()
                .match()
                .term(field)
                .filter(Match.Term::isExact)
                .map(term -> OptionalInt.of((int) term.value()))
                .orElse(OptionalInt.empty());
    }

    /** A slot flow that does anything but hand over to a member forwards to nobody. */
    private static int owner(Flow flow) {
        boolean handsOver = flow.instructions().contains(new Instruction.GotoTable(PipelineTable.MEMBER.id()));
        return handsOver ? (int) written(flow, Field.REG2).orElse(SlotTable.NOBODY) : SlotTable.NOBODY;
    }

    private static OptionalLong written(Flow flow, Field field) {
        for (Instruction instruction : flow.instructions()) {
            if (instruction instanceof Instruction.ApplyActions(List<Action> actions)) {
                for (Action action : actions) {
                    if (action instanceof Action.SetField set && set.field() == field) {
                        return OptionalLong.of(set.value());
                    }
                }
            }
        }
        return OptionalLong.empty();
    }
}
