package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A flow as desired or as read from a switch. Two flows are equal when the switch would treat packets alike and the
 * cookies agree; counters are no part of it.
 *
 * @param key table, priority and match
 * @param cookie owner's mark, any 64 bits
 * @param instructions canonical: no empty list of actions, {@code goto_table} last; empty drops the packet
 * @param lifetime when the switch removes the flow by itself; ours never expire
 */
public record Flow(FlowKey key, long cookie, List<Instruction> instructions, Lifetime lifetime) {
    private static final Comparator<Instruction> CANONICAL_ORDER = Comparator.comparingInt(Flow::rank);

    /** Brings the instructions into canonical form. */
    public Flow {
        var canonical = new ArrayList<Instruction>(instructions.size());
        for (Instruction instruction : instructions) {
            if (!(instruction instanceof Instruction.ApplyActions(var actions) && actions.isEmpty())) {
                canonical.add(instruction);
            }
        }
        canonical.sort(CANONICAL_ORDER);
        instructions = List.copyOf(canonical);
    }

    /** A flow that stays until it is deleted. */
    public Flow(FlowKey key, long cookie, List<Instruction> instructions) {
        this(key, cookie, instructions, Lifetime.PERMANENT);
    }

    // Said in full: those of a record go through method handles, which is felt at a hundred thousand flows.
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof Flow same
                && cookie == same.cookie
                && key.equals(same.key)
                && instructions.equals(same.instructions)
                && lifetime.equals(same.lifetime);
    }

    @Override
    public int hashCode() {
        return key.hashCode() * 31 + Long.hashCode(cookie);
    }

    private static int rank(Instruction instruction) {
        return switch (instruction) {
            case Instruction.ApplyActions _ -> 0;
            case Instruction.Unrecognised _ -> 1;
            case Instruction.GotoTable _ -> 2;
        };
    }

    /** Returns the flow as one line that {@code ovs-ofctl add-flow} reads, if all of it was recognised. */
    @Override
    public String toString() {
        String actions = instructions.isEmpty()
                ? "drop"
                : instructions.stream().map(Instruction::toString).collect(Collectors.joining(","));
        return "cookie=0x" + Long.toHexString(cookie) + "," + key + lifetime + ",actions=" + actions;
    }

    /**
     * When a switch removes a flow by itself.
     *
     * @param idleSeconds seconds without a packet, 0..65535, 0 is never
     * @param hardSeconds seconds after it was added, 0..65535, 0 is never
     */
    public record Lifetime(int idleSeconds, int hardSeconds) {
        /** Stays until deleted. */
        public static final Lifetime PERMANENT = new Lifetime(0, 0);

        private static final int SECONDS_MAX = 0xffff;

        /** Checks the ranges. */
        public Lifetime {
            if (idleSeconds < 0 || idleSeconds > SECONDS_MAX || hardSeconds < 0 || hardSeconds > SECONDS_MAX) {
                throw new IllegalArgumentException(
                        "timeouts must be 0..65535 s, are idle " + idleSeconds + ", hard " + hardSeconds);
            }
        }

        @Override
        public String toString() {
            return (idleSeconds == 0 ? "" : ",idle_timeout=" + idleSeconds)
                    + (hardSeconds == 0 ? "" : ",hard_timeout=" + hardSeconds);
        }
    }
}
