package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Table 0: announcements by which a member or a router says to everybody where it is now. Only theirs: what strangers
 * announce does not reach the node.
 */
final class Announcements {
    private static final int HEARD = 980;
    private static final long COOKIE = Cookie.of(Cookie.Kind.INGRESS, 0, 0);

    private Announcements() {}

    static List<Flow> flows(SwitchIntent intent) {
        List<Flow> flows = new ArrayList<>();
        add(flows, intent.uplink(), intent.routers());
        SortedMap<String, SortedSet<IpAddress>> members = new TreeMap<>();
        intent.pools().stream()
                .flatMap(pool -> pool.members().stream())
                .forEach(member -> members.computeIfAbsent(member.segment(), _ -> new TreeSet<>())
                        .add(member.address()));
        members.forEach((segment, addresses) -> {
            SegmentPort port = intent.segments().get(segment);
            if (port != null) {
                add(flows, port.port(), addresses);
            }
        });
        return flows;
    }

    private static void add(List<Flow> flows, Port port, SortedSet<IpAddress> addresses) {
        for (IpAddress address : addresses) {
            if (address instanceof Ipv4Address ipv4) {
                // An announcement asks for, or answers for, the address that it comes from (RFC 5227, section 3).
                Match announced = Match.of()
                        .with(Field.ETH_TYPE, Pipeline.ETH_TYPE_ARP)
                        .with(Field.IN_PORT, port.number())
                        .with(Field.ARP_SPA, Pipeline.bits(ipv4))
                        .with(Field.ARP_TPA, Pipeline.bits(ipv4));
                flows.add(new Flow(
                        new FlowKey(PipelineTable.INGRESS.id(), HEARD, announced),
                        COOKIE,
                        List.of(Instruction.ApplyActions.of(new Action.Output(port.internal())))));
            }
        }
    }
}
