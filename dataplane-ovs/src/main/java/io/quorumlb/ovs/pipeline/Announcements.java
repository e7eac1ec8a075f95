package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
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

    static void add(SwitchIntent intent, FlowList flows) {
        add(intent.uplink(), intent.routers(), flows);
        SortedMap<String, SortedSet<IpAddress>> members = new TreeMap<>();
        intent.pools().stream()
                .flatMap(pool -> pool.members().stream())
                .forEach(member -> members.computeIfAbsent(member.segment(), _ -> new TreeSet<>())
                        .add(member.address()));
        members.forEach((segment, addresses) -> {
            SegmentPort port = intent.segments().get(segment);
            if (port != null) {
                add(port.port(), addresses, flows);
            }
        });
    }

    private static void add(Port port, SortedSet<IpAddress> addresses, FlowList flows) {
        for (IpAddress address : addresses) {
            flows.add(
                    PipelineTable.INGRESS,
                    HEARD,
                    announced(port, address),
                    COOKIE,
                    Instruction.ApplyActions.of(new Action.Output(port.internal())));
        }
    }

    private static Match announced(Port port, IpAddress address) {
        return switch (address) {
            // An announcement asks for, or answers for, the address that it comes from (RFC 5227, section 3).
            case Ipv4Address _ ->
                Headers.arp()
                        .with(Field.IN_PORT, port.number())
                        .with(Headers.term(Field.ARP_SPA, address))
                        .with(Headers.term(Field.ARP_TPA, address));
            case Ipv6Address ipv6 -> Answers.advertisement(port, ipv6);
        };
    }
}
