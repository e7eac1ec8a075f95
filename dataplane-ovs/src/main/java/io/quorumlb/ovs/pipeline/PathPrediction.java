package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.hash.SlotFormula;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;

/** Reckons the way of a client's packet, by the formula and the intent's tables. */
final class PathPrediction {
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;

    private PathPrediction() {}

    static PacketPath of(SwitchIntent intent, Tuple tuple) {
        Optional<ServedListener> taker = intent.listeners().stream()
                .filter(listener -> takes(listener, tuple))
                .min(Comparator.comparingInt(listener -> width(listener.traffic())));
        if (taker.isEmpty()) {
            return dropped(OptionalInt.empty(), OptionalInt.empty(), "no listener takes it");
        }
        ServedListener listener = taker.get();
        int set = SlotSets.chosen(intent, listener);
        if (SlotSets.next(set) == PipelineTable.SLOTS) {
            return dropped(
                    OptionalInt.of(listener.id()),
                    OptionalInt.of(set),
                    "the pool has no member left, and the client is told so");
        }
        return intent.pool(SlotSets.poolOf(set))
                .flatMap(pool ->
                        SlotSets.table(pool, set).map(table -> through(intent, listener, pool, set, table, tuple)))
                .orElseGet(() -> dropped(
                        OptionalInt.of(listener.id()), OptionalInt.of(set), "the table of its pool is not installed"));
    }

    private static PacketPath through(
            SwitchIntent intent, ServedListener listener, ServedPool pool, int set, SlotTable table, Tuple tuple) {
        int slot = SlotFormula.slot(
                intent.slotFunction(),
                listener.hash(),
                tuple,
                pool.id(),
                pool.table().slots());
        int owner = table.owner(slot);
        Optional<ServedMember> member = pool.members().stream()
                .filter(known -> known.id() == owner)
                .filter(known -> intent.segments().containsKey(known.segment()))
                .findFirst();
        Optional<ServedMember> reached = member.filter(known -> known.mac().isPresent());
        return new PacketPath(
                OptionalInt.of(listener.id()),
                OptionalInt.of(set),
                OptionalInt.of(slot),
                owner == SlotTable.NOBODY ? OptionalInt.empty() : OptionalInt.of(owner),
                reached.map(known -> port(intent, known)).orElseGet(OptionalInt::empty),
                reached.flatMap(ServedMember::mac),
                reached.isPresent() ? "" : reason(owner, member),
                PacketPath.Source.PREDICTED);
    }

    private static OptionalInt port(SwitchIntent intent, ServedMember member) {
        SegmentPort segment = intent.segments().get(member.segment());
        return segment == null
                ? OptionalInt.empty()
                : OptionalInt.of(segment.port().number());
    }

    private static String reason(int owner, Optional<ServedMember> member) {
        if (owner == SlotTable.NOBODY) {
            return "no member has the slot";
        }
        return member.isPresent()
                ? "the MAC address of its member is not known"
                : "this node has no way to the segment of its member";
    }

    private static PacketPath dropped(OptionalInt listener, OptionalInt slotSet, String why) {
        return new PacketPath(
                listener,
                slotSet,
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                why,
                PacketPath.Source.PREDICTED);
    }

    private static boolean takes(ServedListener listener, Tuple tuple) {
        if (!listener.vip().equals(tuple.destination()) || isForNobody(tuple)) {
            return false;
        }
        return switch (listener.traffic()) {
            case Traffic.Ports(var transport, int first, int last, var _) ->
                protocol(transport) == tuple.protocol()
                        && first <= tuple.destinationPort()
                        && tuple.destinationPort() <= last;
            case Traffic.AllPorts(var transport) -> protocol(transport) == tuple.protocol();
            case Traffic.Everything() -> true;
        };
    }

    /** Port 0 is malformed, and ICMP is the node's own affair. */
    private static boolean isForNobody(Tuple tuple) {
        return switch (tuple.protocol()) {
            case Tuple.TCP, Tuple.UDP -> tuple.destinationPort() == 0;
            case ICMP -> tuple.destination().family() == IpFamily.IPV4;
            case ICMPV6 -> tuple.destination().family() == IpFamily.IPV6;
            default -> false;
        };
    }

    /** The narrower one has it. */
    private static int width(Traffic traffic) {
        return switch (traffic) {
            case Traffic.Ports ports -> ports.last() - ports.first();
            case Traffic.AllPorts _ -> Traffic.PORT_MAX;
            case Traffic.Everything _ -> Traffic.PORT_MAX + 1;
        };
    }

    private static int protocol(Traffic.Transport transport) {
        return switch (transport) {
            case TCP -> Tuple.TCP;
            case UDP -> Tuple.UDP;
        };
    }
}
