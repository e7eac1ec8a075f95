package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Table 0: the node's own traffic, questions for its addresses, traffic to VIPs, replies of members.
 *
 * <p>Forwarded packets must carry the node's own MAC address: a bridge floods frames whose destination it has not
 * learned, and every node would forward its copy.
 */
final class Ingress {
    private static final int OWN = 1000;
    private static final int FRAGMENT = 930;
    private static final int ICMP = 920;
    private static final int GATEWAY = 910;
    private static final int VIP = 900;
    private static final int REPLY = 800;
    private static final int NOT_OURS = 10;

    private static final long COOKIE = Cookie.of(Cookie.Kind.INGRESS, 0, 0);

    private final FlowList flows;

    private Ingress(FlowList flows) {
        this.flows = flows;
    }

    static void add(SwitchIntent intent, FlowList flows) {
        var ingress = new Ingress(flows);
        Port uplink = intent.uplink();
        ingress.own(uplink);
        SortedSet<IpAddress> vips = new TreeSet<>();
        intent.listeners().stream().map(ServedListener::vip).forEach(vips::add);
        vips.forEach(vip -> ingress.vip(uplink, vip));
        intent.segments().values().forEach(ingress::segment);
        ingress.notOurs();
    }

    /** Returns the flows of the node's own interface: its kernel probes members and speaks BGP over it. */
    static List<Flow> ofOwn(Port port) {
        var flows = new FlowList();
        new Ingress(flows).own(port);
        return flows.flows();
    }

    private void own(Port port) {
        output(Match.of().with(Field.IN_PORT, port.internal()), port.number());
        for (IpAddress own : port.addresses()) {
            output(Headers.to(toNode(port, own.family()), own), port.internal());
            switch (own) {
                case Ipv4Address address -> {
                    // Questions are answered here: from a question the kernel would learn the asker, and strangers
                    // could
                    // fill its table until members find no room in it.
                    Answers.arp(port, address, flows);
                    output(Answers.arpReply(port).with(Headers.term(Field.ARP_TPA, own)), port.internal());
                }
                case Ipv6Address address ->
                    output(
                            Headers.to(Answers.solicitation(port, address), Headers.solicitedNode(address)),
                            port.internal());
            }
        }
    }

    private void output(Match match, int port) {
        flows.add(PipelineTable.INGRESS, OWN, match, COOKIE, Instruction.ApplyActions.of(new Action.Output(port)));
    }

    /** Returns: came in by the port with the node's MAC address. */
    static Match toNode(Port port, IpFamily family) {
        return Headers.ip(family)
                .with(Field.IN_PORT, port.number())
                .with(Field.ETH_DST, port.mac().value());
    }

    private void vip(Port uplink, IpAddress vip) {
        Answers.ofAddress(uplink, vip, flows);
        Match toVip = Headers.to(toNode(uplink, vip.family()), vip);
        fragments(toVip);
        // The translation of errors would be their place; a member could not tell what they are about.
        flows.add(
                PipelineTable.INGRESS,
                ICMP,
                Headers.to(icmpToNode(uplink, vip.family()), vip),
                Cookie.of(Cookie.Kind.ICMP, 0, 0));
        flows.add(PipelineTable.INGRESS, VIP, toVip, COOKIE, Pipeline.goTo(PipelineTable.LISTENER));
    }

    static Match icmpToNode(Port port, IpFamily family) {
        return Headers.icmp(family)
                .with(Field.IN_PORT, port.number())
                .with(Field.ETH_DST, port.mac().value());
    }

    /** Rewriting an address damages the payload of later fragments. */
    private void fragments(Match match) {
        flows.add(PipelineTable.INGRESS, FRAGMENT, Headers.fragment(match), Cookie.of(Cookie.Kind.FRAGMENT, 0, 0));
    }

    private void segment(SegmentPort segment) {
        Port port = segment.port();
        own(port);
        for (IpAddress gateway : segment.gateways()) {
            Answers.ofAddress(port, gateway, flows);
            // What is for the gateway itself is no reply; a row for all traffic of a member would make it one.
            flows.add(
                    PipelineTable.INGRESS,
                    GATEWAY,
                    Headers.to(toNode(port, gateway.family()), gateway),
                    Cookie.of(Cookie.Kind.NOT_OURS, 0, 0));
        }
        for (IpFamily family : IpFamily.values()) {
            fragments(toNode(port, family));
            flows.add(PipelineTable.INGRESS, REPLY, toNode(port, family), COOKIE, Pipeline.goTo(PipelineTable.UN_DNAT));
        }
    }

    /** What only strayed here is told from what no table could ever have used: the table's own miss counts that. */
    private void notOurs() {
        long cookie = Cookie.of(Cookie.Kind.NOT_OURS, 0, 0);
        flows.add(PipelineTable.INGRESS, NOT_OURS, Headers.arp(), cookie);
        for (IpFamily family : IpFamily.values()) {
            flows.add(PipelineTable.INGRESS, NOT_OURS, Headers.ip(family), cookie);
        }
    }
}
