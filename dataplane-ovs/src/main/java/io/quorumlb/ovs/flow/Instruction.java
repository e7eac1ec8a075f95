package io.quorumlb.ovs.flow;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a table does with a packet that a flow matches. A flow without instructions drops it. */
public sealed interface Instruction {
    /**
     * Does the actions in order, at once.
     *
     * @param actions actions, first one first
     */
    record ApplyActions(List<Action> actions) implements Instruction {
        /** Copies the list. */
        public ApplyActions {
            actions = List.copyOf(actions);
        }

        /** Does the given actions in order. */
        public static ApplyActions of(Action... actions) {
            return new ApplyActions(List.of(actions));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ApplyActions same && actions.equals(same.actions);
        }

        @Override
        public int hashCode() {
            return actions.hashCode();
        }

        @Override
        public String toString() {
            return actions.stream().map(Action::toString).collect(Collectors.joining(","));
        }
    }

    /**
     * Goes on in a later table.
     *
     * @param table number of the next table, 1..254, higher than the flow's own
     */
    record GotoTable(int table) implements Instruction {
        /** Checks the range. */
        public GotoTable {
            if (table < 1 || table > FlowKey.TABLE_MAX) {
                throw new IllegalArgumentException("goto_table must be 1..254, is " + table);
            }
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof GotoTable same && table == same.table;
        }

        @Override
        public int hashCode() {
            return table;
        }

        @Override
        public String toString() {
            return "goto_table:" + table;
        }
    }

    /**
     * An instruction found in a switch that this program never writes.
     *
     * @param bytes the whole instruction with its header, in hexadecimal
     */
    record Unrecognised(String bytes) implements Instruction {
        @Override
        public String toString() {
            return "instruction(" + bytes + ")";
        }
    }
}
