package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Table 0: the node's own traffic, ARP, traffic to VIPs, replies of members.
 *
 * <p>Forwarded packets must carry the node's own MAC address: a bridge floods frames whose destination it has not
 * learned, and every node would forward its copy.
 */
final class Ingress {
    private static final int OWN = 1000;
    private static final int ANSWER = 990;
    private static final int FRAGMENT = 930;
    private static final int VIP = 900;
    private static final int REPLY = 800;
    private static final int ARP_REQUEST = 1;
    private static final int ARP_REPLY = 2;
    private static final int ANY_FRAGMENT = 1;

    private static final long COOKIE = Cookie.of(Cookie.Kind.INGRESS, 0, 0);

    private final List<Flow> flows = new ArrayList<>();

    private Ingress() {}

    static List<Flow> flows(SwitchIntent intent) {
        var ingress = new Ingress();
        Port uplink = intent.uplink();
        ingress.own(uplink);
        SortedSet<IpAddress> vips = new TreeSet<>();
        intent.listeners().stream().map(ServedListener::vip).forEach(vips::add);
        vips.forEach(vip -> ingress.vip(uplink, vip));
        intent.segments().values().forEach(segment -> {
            ingress.own(segment.port());
            segment.gateways().forEach(gateway -> ingress.answerArp(segment.port(), gateway));
            ingress.replies(segment.port());
        });
        return ingress.flows;
    }

    /** Returns the flows of the node's own interface: its kernel probes members and speaks BGP over it. */
    static List<Flow> ofOwn(Port port) {
        var ingress = new Ingress();
        ingress.own(port);
        return ingress.flows;
    }

    private void own(Port port) {
        Action toInternal = new Action.Output(port.internal());
        add(OWN, Match.of().with(Field.IN_PORT, port.internal()), new Action.Output(port.number()));
        for (IpAddress own : port.addresses()) {
            add(OWN, arp(port).with(Field.ARP_TPA, Pipeline.bits(own)), toInternal);
            add(
                    OWN,
                    Pipeline.ipv4()
                            .with(Field.IN_PORT, port.number())
                            .with(Field.IPV4_DST, Pipeline.bits(own))
                            .with(Field.ETH_DST, port.mac().value()),
                    toInternal);
        }
    }

    private void vip(Port uplink, IpAddress vip) {
        answerArp(uplink, vip);
        Match toVip = Pipeline.ipv4()
                .with(Field.IN_PORT, uplink.number())
                .with(Field.IPV4_DST, Pipeline.bits(vip))
                .with(Field.ETH_DST, uplink.mac().value());
        // Rewriting an address damages the payload of later fragments.
        flows.add(new Flow(
                key(FRAGMENT, toVip.with(Field.IP_FRAG, ANY_FRAGMENT, ANY_FRAGMENT)),
                Cookie.of(Cookie.Kind.FRAGMENT, 0, 0),
                List.of()));
        flows.add(new Flow(key(VIP, toVip), COOKIE, List.of(new Instruction.GotoTable(PipelineTable.LISTENER.id()))));
    }

    private void replies(Port port) {
        Match toUs = Pipeline.ipv4()
                .with(Field.IN_PORT, port.number())
                .with(Field.ETH_DST, port.mac().value());
        flows.add(new Flow(key(REPLY, toUs), COOKIE, List.of(new Instruction.GotoTable(PipelineTable.UN_DNAT.id()))));
    }

    private void answerArp(Port port, IpAddress address) {
        long mac = port.mac().value();
        add(
                ANSWER,
                arp(port).with(Field.ARP_OP, ARP_REQUEST).with(Field.ARP_TPA, Pipeline.bits(address)),
                new Action.Move(Field.ETH_SRC, Field.ETH_DST),
                new Action.SetField(Field.ETH_SRC, mac),
                new Action.SetField(Field.ARP_OP, ARP_REPLY),
                new Action.Move(Field.ARP_SHA, Field.ARP_THA),
                new Action.SetField(Field.ARP_SHA, mac),
                new Action.Move(Field.ARP_SPA, Field.ARP_TPA),
                new Action.SetField(Field.ARP_SPA, Pipeline.bits(address)),
                new Action.InPort());
    }

    private static Match arp(Port port) {
        return Match.of().with(Field.ETH_TYPE, Pipeline.ETH_TYPE_ARP).with(Field.IN_PORT, port.number());
    }

    private static FlowKey key(int priority, Match match) {
        return new FlowKey(PipelineTable.INGRESS.id(), priority, match);
    }

    private void add(int priority, Match match, Action... actions) {
        flows.add(new Flow(key(priority, match), COOKIE, List.of(Instruction.ApplyActions.of(actions))));
    }
}
