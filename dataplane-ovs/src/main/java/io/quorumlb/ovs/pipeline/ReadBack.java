package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

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
