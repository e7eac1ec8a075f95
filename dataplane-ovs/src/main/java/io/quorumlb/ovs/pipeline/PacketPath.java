package io.quorumlb.ovs.pipeline;

import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.hash.Tuple;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The way of a client's packet through a switch, as far as it got.
 *
 * @param listener who takes it
 * @param slotSet the set of slots it gets one of: a pool id, or the number of the set over all enabled members of a pool
 * @param slot its slot
 * @param member who owns the slot
 * @param port OpenFlow port it leaves by; empty if it is dropped
 * @param mac Ethernet destination it leaves with; empty if it is dropped
 * @param drop why it is dropped, for people; empty if it leaves
 * @param source how the slot was found
 */
public record PacketPath(
        OptionalInt listener,
        OptionalInt slotSet,
        OptionalInt slot,
        OptionalInt member,
        OptionalInt port,
        Optional<MacAddress> mac,
        String drop,
        Source source) {
    /** How a slot was found. */
    public enum Source {
        /** By the formula and the committed table. */
        PREDICTED,
        /** The switch was asked what it would do. */
        TRACED,
        /** A real packet got it. */
        SENT
    }

    /** Returns the way by the formula and the intent's tables. */
    public static PacketPath predicted(SwitchIntent intent, Tuple tuple) {
        return PathPrediction.of(intent, tuple);
    }

    /** Returns the pool whose slots the packet gets. */
    public OptionalInt pool() {
        return slotSet.isPresent() ? OptionalInt.of(SlotSets.poolOf(slotSet.getAsInt())) : OptionalInt.empty();
    }

    /** Returns true if the slots are those over all enabled members of the pool, of which none takes traffic. */
    public boolean failsOpen() {
        return !slotSet.equals(pool());
    }

    /** Returns this way with another reason for its end. */
    public PacketPath lost(String why) {
        return new PacketPath(listener, slotSet, slot, member, OptionalInt.empty(), Optional.empty(), why, source);
    }

    /** Returns true if both say the same of listener, slot, member and exit, however they were found. */
    public boolean agrees(PacketPath other) {
        return listener.equals(other.listener)
                && slotSet.equals(other.slotSet)
                && slot.equals(other.slot)
                && member.equals(other.member)
                && port.equals(other.port)
                && mac.equals(other.mac);
    }
}
