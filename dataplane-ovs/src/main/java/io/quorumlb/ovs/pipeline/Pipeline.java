package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The flows that make a switch forward as intended. Stateless in both directions, so that any node carries any packet.
 *
 * <p>Registers: {@code reg0} pool or set of slots, {@code reg1} slot, {@code reg2} member, {@code reg3} listener.
 */
public final class Pipeline {
    private static final int TTL_OVER_MAX = 1;

    private final SwitchIntent intent;
    private final FlowList flows = new FlowList();

    private Pipeline(SwitchIntent intent) {
        this.intent = intent;
    }

    /**
     * Returns all flows that the switch should hold; a function of the intent only.
     *
     * @throws IllegalArgumentException if the intent is ambiguous: two listeners take the same packets or the same
     *     replies, or a member is of another family than its VIP
     */
    public static List<Flow> flows(SwitchIntent intent) {
        var pipeline = new Pipeline(intent);
        pipeline.misses();
        Ingress.add(intent, pipeline.flows);
        Announcements.add(intent, pipeline.flows);
        Answers.shared(pipeline.flows);
        ListenerRows.add(intent, pipeline.flows);
        Translation.shared(pipeline.flows);
        SlotFunctions.fingerprint().forEach(pipeline.flows::add);
        intent.pools().forEach(pipeline::pool);
        pipeline.shared();
        return pipeline.flows.flows();
    }

    /**
     * Returns those flows among them whose cookies name one of the pools.
     *
     * @throws IllegalArgumentException as {@link #flows(SwitchIntent)}, as far as it concerns the pools
     */
    public static List<Flow> flows(SwitchIntent intent, SortedSet<Integer> pools) {
        var pipeline = new Pipeline(intent);
        ListenerRows.add(
                intent,
                intent.listeners().stream()
                        .filter(listener -> pools.contains(listener.poolId()))
                        .toList(),
                pipeline.flows);
        intent.pools().stream().filter(pool -> pools.contains(pool.id())).forEach(pipeline::pool);
        return pipeline.flows.flows();
    }

    /**
     * Returns the pools whose flows may differ between two intents; empty if flows that name no pool may differ as well. Of other
     * pools every flow is the same in both.
     */
    public static Optional<SortedSet<Integer>> difference(SwitchIntent before, SwitchIntent after) {
        boolean sameAround = before.uplink().equals(after.uplink())
                && before.nextHops().equals(after.nextHops())
                && before.segments().equals(after.segments())
                && before.listeners().equals(after.listeners())
                && before.routers().equals(after.routers())
                && before.slotFunction() == after.slotFunction()
                && before.pools().size() == after.pools().size();
        SortedSet<Integer> changed = new TreeSet<>();
        Iterator<ServedPool> others = after.pools().iterator();
        for (ServedPool pool : sameAround ? before.pools() : List.<ServedPool>of()) {
            ServedPool other = others.next();
            // Where members are is heard by flows of no pool, and a listener falls back only to a pool that is there.
            if (!pool.equals(other)) {
                if (other.id() != pool.id() || !places(pool).equals(places(other))) {
                    return Optional.empty();
                }
                changed.add(pool.id());
            }
        }
        return sameAround ? Optional.of(changed) : Optional.empty();
    }

    private static List<Place> places(ServedPool pool) {
        return pool.members().stream()
                .map(member -> new Place(member.segment(), member.address()))
                .toList();
    }

    private record Place(String segment, IpAddress address) {}

    /** Returns those flows among them that carry the node's own traffic, such as probes, on one port. */
    public static List<Flow> ownTraffic(Port port) {
        return Ingress.ofOwn(port);
    }

    /** Each table's own miss, so that it is counted. */
    private void misses() {
        for (PipelineTable table : PipelineTable.values()) {
            if (table != PipelineTable.MARKER) {
                flows.add(table, 0, Match.of(), Cookie.of(Cookie.Kind.MISS, 0, table.id()));
            }
        }
    }

    private void pool(ServedPool pool) {
        List<ServedListener> listeners = intent.listeners().stream()
                .filter(listener -> listener.reaches(pool.id()))
                .toList();
        listeners.forEach(listener -> flows.add(
                listener.fallsBackTo(pool.id())
                        ? SlotFunctions.fallback(intent.slotFunction(), pool, listener)
                        : SlotFunctions.flow(intent.slotFunction(), pool, listener)));
        SlotSets.add(pool, listeners, flows);
        pool.members().forEach(member -> member(pool, member, listeners));
        flows.add(GenerationMarker.flow(pool));
    }

    private void member(ServedPool pool, ServedMember member, List<ServedListener> listeners) {
        SegmentPort segment = intent.segments().get(member.segment());
        if (segment == null) {
            return;
        }
        Port port = segment.port();
        listeners.forEach(listener -> Translation.add(listener, pool.id(), member, port, flows));
        Match ofMember = Match.of().with(Field.REG2, member.id());
        Optional<MacAddress> mac = member.mac();
        if (mac.isEmpty()) {
            flows.add(PipelineTable.EGRESS, 100, ofMember, Cookie.of(Cookie.Kind.NO_MAC, pool.id(), member.id()));
            return;
        }
        flows.add(
                PipelineTable.EGRESS,
                100,
                ofMember,
                Cookie.of(Cookie.Kind.EGRESS, pool.id(), member.id()),
                Instruction.ApplyActions.of(
                        new Action.SetField(Field.ETH_SRC, port.mac().value()),
                        new Action.SetField(Field.ETH_DST, mac.get().value()),
                        new Action.Output(port.number())));
    }

    /** What all pools share on the way out. */
    private void shared() {
        for (IpFamily family : IpFamily.values()) {
            expired(PipelineTable.TTL, family);
            expired(PipelineTable.RETURN_EGRESS, family);
            flows.add(
                    PipelineTable.TTL,
                    10,
                    Headers.ip(family),
                    Cookie.of(Cookie.Kind.EGRESS, 0, 0),
                    Instruction.ApplyActions.of(new Action.DecTtl()),
                    goTo(PipelineTable.EGRESS));
            reply(family);
        }
    }

    private void reply(IpFamily family) {
        Optional<MacAddress> router = intent.nextHop(family);
        if (router.isEmpty()) {
            flows.add(PipelineTable.RETURN_EGRESS, 100, Headers.ip(family), Cookie.of(Cookie.Kind.NO_MAC, 0, 0));
            return;
        }
        flows.add(
                PipelineTable.RETURN_EGRESS,
                100,
                Headers.ip(family),
                Cookie.of(Cookie.Kind.EGRESS, 0, 0),
                Instruction.ApplyActions.of(
                        new Action.DecTtl(),
                        new Action.SetField(Field.ETH_SRC, intent.uplink().mac().value()),
                        new Action.SetField(Field.ETH_DST, router.get().value()),
                        new Action.Output(intent.uplink().number())));
    }

    /** Left to dec_ttl, a packet whose time is over would cost a trip through the switch's slow path for nobody. */
    private void expired(PipelineTable table, IpFamily family) {
        for (int ttl = 0; ttl <= TTL_OVER_MAX; ttl++) {
            flows.add(
                    table, 200, Headers.ip(family).with(Field.IP_TTL, ttl), Cookie.of(Cookie.Kind.TTL, 0, table.id()));
        }
    }

    static Instruction goTo(PipelineTable table) {
        return new Instruction.GotoTable(table.id());
    }
}
