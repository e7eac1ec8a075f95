package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.Traffic.Transport;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Table 8: which listener takes a packet. The narrower one has it: a single port before a range, a range before one
 * that it lies in, all ports of a transport before everything.
 */
final class ListenerRows {
    private static final int UNKNOWN_PORT = 10;

    private ListenerRows() {}

    static void add(SwitchIntent intent, FlowList flows) {
        SortedMap<Integer, Integer> depths = depths(intent.listeners());
        intent.listeners().forEach(listener -> add(intent, listener, depths, flows));
        for (IpFamily family : IpFamily.values()) {
            for (Transport transport : Transport.values()) {
                // Port 0 is nobody's: the packet was cut off before its ports.
                flows.add(
                        PipelineTable.LISTENER,
                        TrafficPriority.MALFORMED,
                        Headers.transport(family, transport).with(Headers.destinationPort(transport), 0),
                        Cookie.of(Cookie.Kind.MALFORMED, 0, 0));
            }
            flows.add(
                    PipelineTable.LISTENER,
                    UNKNOWN_PORT,
                    Headers.ip(family),
                    Cookie.of(Cookie.Kind.UNKNOWN_PORT, 0, 0));
        }
    }

    /** Adds the rows of some listeners alone. */
    static void add(SwitchIntent intent, List<ServedListener> some, FlowList flows) {
        if (!some.isEmpty()) {
            SortedMap<Integer, Integer> depths = depths(intent.listeners());
            some.forEach(listener -> add(intent, listener, depths, flows));
        }
    }

    private static void add(
            SwitchIntent intent, ServedListener listener, SortedMap<Integer, Integer> depths, FlowList flows) {
        listener(listener, SlotSets.chosen(intent, listener), depths.getOrDefault(listener.id(), 0), flows);
    }

    private static void listener(ServedListener listener, int slots, int depth, FlowList flows) {
        IpAddress vip = listener.vip();
        IpFamily family = vip.family();
        switch (listener.traffic()) {
            case Traffic.Ports(Transport transport, int first, int last, var _) -> {
                int priority = first == last ? TrafficPriority.SINGLE : TrafficPriority.range(depth);
                Match toVip = Headers.to(Headers.transport(family, transport), vip);
                for (PortBlocks.Block block : PortBlocks.of(first, last)) {
                    take(
                            listener,
                            slots,
                            priority,
                            toVip.with(Headers.destinationPort(transport), block.port(), block.mask()),
                            flows);
                }
            }
            case Traffic.AllPorts(Transport transport) ->
                take(
                        listener,
                        slots,
                        TrafficPriority.ALL_PORTS,
                        Headers.to(Headers.transport(family, transport), vip),
                        flows);
            case Traffic.Everything() ->
                take(listener, slots, TrafficPriority.EVERYTHING, Headers.to(Headers.ip(family), vip), flows);
        }
    }

    private static void take(ServedListener listener, int slots, int priority, Match match, FlowList flows) {
        flows.add(
                PipelineTable.LISTENER,
                priority,
                match,
                Cookie.of(Cookie.Kind.LISTENER, listener.poolId(), listener.id()),
                Instruction.ApplyActions.of(
                        new Action.SetField(Field.REG0, slots), new Action.SetField(Field.REG3, listener.id())),
                Pipeline.goTo(SlotSets.next(slots)));
    }

    /** A range of a listener. */
    private record Range(ServedListener listener, Transport transport, int first, int last) {
        private static final Comparator<Range> OUTER_FIRST = Comparator.comparing((Range range) -> range.listener.vip())
                .thenComparing(Range::transport)
                .thenComparingInt(Range::first)
                .thenComparingInt(range -> -range.last)
                .thenComparingInt(range -> range.listener.id());

        boolean isBefore(Range other) {
            return !listener.vip().equals(other.listener.vip()) || transport != other.transport || last < other.first;
        }
    }

    /**
     * Returns how many other ranges each range lies in, by listener id.
     *
     * @throws IllegalArgumentException if two ranges overlap and neither lies in the other, or both are equal
     */
    private static SortedMap<Integer, Integer> depths(List<ServedListener> listeners) {
        List<Range> ranges = listeners.stream()
                .flatMap(listener ->
                        listener.traffic() instanceof Traffic.Ports(var transport, int first, int last, var _)
                                        && first != last
                                ? List.of(new Range(listener, transport, first, last)).stream()
                                : List.<Range>of().stream())
                .sorted(Range.OUTER_FIRST)
                .toList();
        SortedMap<Integer, Integer> depths = new TreeMap<>();
        Deque<Range> around = new ArrayDeque<>();
        for (Range range : ranges) {
            while (!around.isEmpty() && around.getLast().isBefore(range)) {
                around.removeLast();
            }
            if (!around.isEmpty()) {
                Range outer = around.getLast();
                boolean equal = outer.first == range.first && outer.last == range.last;
                if (equal || range.last > outer.last) {
                    throw new IllegalArgumentException(
                            "listeners %d (ports %d-%d) and %d (ports %d-%d) of %s overlap: neither lies in the other"
                                    .formatted(
                                            outer.listener.id(),
                                            outer.first,
                                            outer.last,
                                            range.listener.id(),
                                            range.first,
                                            range.last,
                                            range.listener.vip()));
                }
            }
            depths.put(range.listener.id(), around.size());
            around.addLast(range);
        }
        return depths;
    }
}
