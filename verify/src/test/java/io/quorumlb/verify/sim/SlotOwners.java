package io.quorumlb.verify.sim;

import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which member owns each slot, read from a table or, by the test's own reading, from the flows of a switch. */
final class SlotOwners {
    private static final int SLOTS_TABLE = 11;
    private static final int MEMBER_TABLE = 13;

    private SlotOwners() {}

    static List<Integer> of(SlotTable table) {
        List<Integer> owners = new ArrayList<>(table.slots());
        for (int slot = 0; slot < table.slots(); slot++) {
            owners.add(table.owner(slot));
        }
        return owners;
    }

    /** Returns the owners by pool; a pool without a slot flow is left out. */
    static SortedMap<Integer, List<Integer>> of(Collection<Flow> flows, int slots) {
        SortedMap<Integer, List<Integer>> owners = new TreeMap<>();
        for (Flow flow : flows) {
            if (flow.key().table() == SLOTS_TABLE) {
                long pool = matched(flow, Field.REG0);
                long slot = matched(flow, Field.REG1);
                if (pool >= 0 && slot >= 0 && slot < slots) {
                    owners.computeIfAbsent((int) pool, _ -> nobody(slots)).set((int) slot, owner(flow));
                }
            }
        }
        return owners;
    }

    static List<Integer> nobody(int slots) {
        Integer[] nobody = new Integer[slots];
        Arrays.fill(nobody, SlotTable.NOBODY);
        return Arrays.asList(nobody);
    }

    private static long matched(Flow flow, Field field) {
        return flow.key()
                .match()
                .term(field)
                .filter(Match.Term::isExact)
                .map(Match.Term::value)
                .orElse(-1L);
    }

    private static int owner(Flow flow) {
        long member = SlotTable.NOBODY;
        boolean handedOver = false;
        for (Instruction instruction : flow.instructions()) {
            switch (instruction) {
                case Instruction.ApplyActions(var actions) -> {
                    for (Action action : actions) {
                        if (action instanceof Action.SetField set && set.field() == Field.REG2) {
                            member = set.value();
                        }
                    }
                }
                case Instruction.GotoTable(int table) -> handedOver = table == MEMBER_TABLE;
                case Instruction.Unrecognised _ -> {
                    // Of somebody else.
                }
            }
        }
        return handedOver ? (int) member : SlotTable.NOBODY;
    }
}
