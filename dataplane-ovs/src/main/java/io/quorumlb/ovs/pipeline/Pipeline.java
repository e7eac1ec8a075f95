package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The flows that make a switch forward as intended. Stateless in both directions, so that any node carries any packet.
 *
 * <p>Registers: {@code reg0} pool, {@code reg1} slot, {@code reg2} member, {@code reg3} listener.
 */
public final class Pipeline {
    static final int ETH_TYPE_IPV4 = 0x0800;
    static final int ETH_TYPE_IPV6 = 0x86dd;
    static final int ETH_TYPE_ARP = 0x0806;
    static final int IPPROTO_TCP = 6;

    private static final int TTL_OVER_MAX = 1;

    private final SwitchIntent intent;
    private final List<Flow> flows = new ArrayList<>();

    private Pipeline(SwitchIntent intent) {
        this.intent = intent;
    }

    /** Returns all flows that the switch should hold; a function of the intent only. */
    public static List<Flow> flows(SwitchIntent intent) {
        var pipeline = new Pipeline(intent);
        pipeline.misses();
        pipeline.flows.addAll(Ingress.flows(intent));
        pipeline.flows.addAll(SlotFunctions.fingerprint());
        intent.listeners().forEach(pipeline::listener);
        intent.pools().forEach(pipeline::pool);
        pipeline.shared();
        return Collections.unmodifiableList(pipeline.flows);
    }

    /** Returns those flows among them that carry the node's own traffic, such as probes, on one port. */
    public static List<Flow> ownTraffic(Port port) {
        return Collections.unmodifiableList(Ingress.ofOwn(port));
    }

    static Match ipv4() {
        return Match.of().with(Field.ETH_TYPE, ETH_TYPE_IPV4);
    }

    static Match tcp() {
        return ipv4().with(Field.IP_PROTO, IPPROTO_TCP);
    }

    static long bits(IpAddress address) {
        return switch (address) {
            case Ipv4Address(int bits) -> Integer.toUnsignedLong(bits);
            default -> throw new IllegalArgumentException("address %s: only IPv4 is installed".formatted(address));
        };
    }

    private static int port(ServedListener listener) {
        return switch (listener.traffic()) {
            case Traffic.Ports(Traffic.Transport transport, int first, int last, var _)
            when transport == Traffic.Transport.TCP && first == last -> first;
            default ->
                throw new IllegalArgumentException(
                        "listener %d: only one TCP port is installed".formatted(listener.id()));
        };
    }

    /** Each table's own miss, so that it is counted. */
    private void misses() {
        for (PipelineTable table : PipelineTable.values()) {
            if (table != PipelineTable.MARKER) {
                add(table, 0, Match.of(), Cookie.of(Cookie.Kind.MISS, 0, table.id()));
            }
        }
    }

    private void listener(ServedListener listener) {
        long cookie = Cookie.of(Cookie.Kind.LISTENER, listener.poolId(), listener.id());
        add(
                PipelineTable.LISTENER,
                100,
                tcp().with(Field.IPV4_DST, bits(listener.vip())).with(Field.TCP_DST, port(listener)),
                cookie,
                Instruction.ApplyActions.of(
                        new Action.SetField(Field.REG0, listener.poolId()),
                        new Action.SetField(Field.REG3, listener.id())),
                goTo(PipelineTable.SLOT_FUNCTION));
    }

    private void pool(ServedPool pool) {
        Match ofPool = Match.of().with(Field.REG0, pool.id());
        for (ServedListener listener : intent.listeners()) {
            if (listener.poolId() == pool.id()) {
                flows.add(SlotFunctions.flow(intent.slotFunction(), pool, listener));
            }
        }
        slots(pool, ofPool);
        add(PipelineTable.SLOTS, 50, ofPool, Cookie.of(Cookie.Kind.FAIL_CLOSE, pool.id(), 0));
        pool.members().forEach(member -> member(pool, member));
        flows.add(GenerationMarker.flow(pool));
    }

    private void slots(ServedPool pool, Match ofPool) {
        for (int slot = 0; slot < pool.table().slots(); slot++) {
            int owner = pool.table().owner(slot);
            if (owner != SlotTable.NOBODY) {
                add(
                        PipelineTable.SLOTS,
                        100,
                        ofPool.with(Field.REG1, slot),
                        Cookie.of(Cookie.Kind.SLOT, pool.id(), slot),
                        Instruction.ApplyActions.of(new Action.SetField(Field.REG2, owner)),
                        goTo(PipelineTable.MEMBER));
            }
        }
    }

    private void member(ServedPool pool, ServedMember member) {
        SegmentPort segment = intent.segments().get(member.segment());
        if (segment == null) {
            return;
        }
        Port port = segment.port();
        for (ServedListener listener : intent.listeners()) {
            if (listener.poolId() == pool.id()) {
                translation(pool, member, listener, port);
            }
        }
        member.mac()
                .ifPresent(mac -> add(
                        PipelineTable.EGRESS,
                        100,
                        Match.of().with(Field.REG2, member.id()),
                        Cookie.of(Cookie.Kind.EGRESS, pool.id(), member.id()),
                        Instruction.ApplyActions.of(
                                new Action.SetField(Field.ETH_SRC, port.mac().value()),
                                new Action.SetField(Field.ETH_DST, mac.value()),
                                new Action.Output(port.number()))));
    }

    private void translation(ServedPool pool, ServedMember member, ServedListener listener, Port port) {
        add(
                PipelineTable.MEMBER,
                100,
                tcp().with(Field.REG3, listener.id()).with(Field.REG2, member.id()),
                Cookie.of(Cookie.Kind.MEMBER, pool.id(), member.id()),
                Instruction.ApplyActions.of(
                        new Action.SetField(Field.IPV4_DST, bits(member.address())),
                        new Action.SetField(Field.TCP_DST, member.port())),
                goTo(PipelineTable.TTL));
        add(
                PipelineTable.UN_DNAT,
                100,
                tcp().with(Field.IN_PORT, port.number())
                        .with(Field.IPV4_SRC, bits(member.address()))
                        .with(Field.TCP_SRC, member.port()),
                Cookie.of(Cookie.Kind.UN_DNAT, pool.id(), member.id()),
                Instruction.ApplyActions.of(
                        new Action.SetField(Field.IPV4_SRC, bits(listener.vip())),
                        new Action.SetField(Field.TCP_SRC, port(listener))),
                goTo(PipelineTable.RETURN_EGRESS));
    }

    /** What all pools share on the way out. */
    private void shared() {
        long cookie = Cookie.of(Cookie.Kind.EGRESS, 0, 0);
        expired(PipelineTable.TTL, cookie);
        expired(PipelineTable.RETURN_EGRESS, cookie);
        add(
                PipelineTable.TTL,
                10,
                ipv4(),
                cookie,
                Instruction.ApplyActions.of(new Action.DecTtl()),
                goTo(PipelineTable.EGRESS));
        intent.nextHop(IpFamily.IPV4)
                .ifPresent(mac -> add(
                        PipelineTable.RETURN_EGRESS,
                        100,
                        ipv4(),
                        cookie,
                        Instruction.ApplyActions.of(
                                new Action.DecTtl(),
                                new Action.SetField(
                                        Field.ETH_SRC, intent.uplink().mac().value()),
                                new Action.SetField(Field.ETH_DST, mac.value()),
                                new Action.Output(intent.uplink().number()))));
    }

    /** Left to dec_ttl, a packet whose time is over would cost a trip through the switch's slow path for nobody. */
    private void expired(PipelineTable table, long cookie) {
        for (int ttl = 0; ttl <= TTL_OVER_MAX; ttl++) {
            add(table, 200, ipv4().with(Field.IP_TTL, ttl), cookie);
        }
    }

    private void add(PipelineTable table, int priority, Match match, long cookie, Instruction... instructions) {
        flows.add(new Flow(new FlowKey(table.id(), priority, match), cookie, List.of(instructions)));
    }

    private static Instruction goTo(PipelineTable table) {
        return new Instruction.GotoTable(table.id());
    }
}
