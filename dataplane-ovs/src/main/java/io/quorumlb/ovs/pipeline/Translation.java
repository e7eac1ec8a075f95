package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.Traffic.Transport;

/**
 * Tables 13 and 15: a request gets the member's address, and the member's port where the listener has one port; the
 * member's reply gets the VIP, and the listener's port. Ports of a range and of all ports stay as they are.
 */
final class Translation {
    private static final int MEMBER = 100;

    private final ServedListener listener;
    private final int poolId;
    private final ServedMember member;
    private final Port port;
    private final FlowList flows;
    private final IpFamily family;

    private Translation(ServedListener listener, int poolId, ServedMember member, Port port, FlowList flows) {
        this.listener = listener;
        this.poolId = poolId;
        this.member = member;
        this.port = port;
        this.flows = flows;
        family = member.address().family();
    }

    /**
     * Adds the rows between a listener and a member of its pool, or of the pool that it falls back to.
     *
     * @param poolId the member's pool
     * @param port where the member's segment is
     * @throws IllegalArgumentException if VIP and member are of different families
     */
    static void add(ServedListener listener, int poolId, ServedMember member, Port port, FlowList flows) {
        if (listener.vip().family() != member.address().family()) {
            throw new IllegalArgumentException("listener %d at %s and member %d at %s are of different families"
                    .formatted(listener.id(), listener.vip(), member.id(), member.address()));
        }
        new Translation(listener, poolId, member, port, flows).add();
    }

    /** Adds the rows that drop replies without ports. */
    static void shared(FlowList flows) {
        for (IpFamily family : IpFamily.values()) {
            for (Transport transport : Transport.values()) {
                flows.add(
                        PipelineTable.UN_DNAT,
                        TrafficPriority.MALFORMED,
                        Headers.transport(family, transport).with(Headers.sourcePort(transport), 0),
                        Cookie.of(Cookie.Kind.MALFORMED, 0, 0));
            }
        }
    }

    private void add() {
        Action toMember = Headers.setDestination(member.address());
        Action fromVip = Headers.setSource(listener.vip());
        switch (listener.traffic()) {
            case Traffic.Ports(Transport transport, int first, int last, var memberPort)
            when first == last -> {
                int to = memberPort.orElse(member.port());
                request(
                        Headers.transport(family, transport),
                        toMember,
                        new Action.SetField(Headers.destinationPort(transport), to));
                reply(
                        TrafficPriority.SINGLE,
                        Headers.transport(family, transport).with(Headers.sourcePort(transport), to),
                        fromVip,
                        new Action.SetField(Headers.sourcePort(transport), first));
            }
            case Traffic.Ports(Transport transport, int first, int last, var _) -> {
                request(Headers.transport(family, transport), toMember);
                for (PortBlocks.Block block : PortBlocks.of(first, last)) {
                    reply(
                            TrafficPriority.RANGE,
                            Headers.transport(family, transport)
                                    .with(Headers.sourcePort(transport), block.port(), block.mask()),
                            fromVip);
                }
            }
            case Traffic.AllPorts(Transport transport) -> {
                request(Headers.transport(family, transport), toMember);
                reply(TrafficPriority.ALL_PORTS, Headers.transport(family, transport), fromVip);
            }
            case Traffic.Everything() -> {
                request(Headers.ip(family), toMember);
                reply(TrafficPriority.EVERYTHING, Headers.ip(family), fromVip);
            }
        }
    }

    private void request(Match match, Action... actions) {
        flows.add(
                PipelineTable.MEMBER,
                MEMBER,
                match.with(Field.REG3, listener.id()).with(Field.REG2, member.id()),
                Cookie.of(Cookie.Kind.MEMBER, poolId, member.id()),
                Instruction.ApplyActions.of(actions),
                Pipeline.goTo(PipelineTable.TTL));
    }

    private void reply(int priority, Match match, Action... actions) {
        flows.add(
                PipelineTable.UN_DNAT,
                priority,
                Headers.from(match.with(Field.IN_PORT, port.number()), member.address()),
                Cookie.of(Cookie.Kind.UN_DNAT, poolId, member.id()),
                Instruction.ApplyActions.of(actions),
                Pipeline.goTo(PipelineTable.RETURN_EGRESS));
    }
}
