package io.quorumlb.verify.contract;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks {@code ofproto/trace} and reads its answer. The flows of the path are told by table and priority, their matches
 * are left out.
 */
final class SwitchTrace {
    private static final Pattern STEP = Pattern.compile("^ ?(\\d+)\\. (?:.*priority (\\d+),|.*(No match))");
    private static final Pattern OUTPUT = Pattern.compile("^ +output:(\\d+)$");
    /** A packet whose time is over goes to the controller, if there is one. */
    private static final String TIME_TO_LIVE_OVER = "controller(reason=2,";

    private static final long ETH_TYPE_ARP = 0x0806;
    private static final long IP_FRAG_FIRST = 1;

    private SwitchTrace() {}

    /** Returns a packet in the syntax of {@code ovs-ofctl}. */
    static String question(Packet packet) {
        String ethernet = "in_port=%d,dl_src=%s,dl_dst=%s,"
                .formatted(packet.inPort(), packet.sourceMac(), packet.destinationMac());
        if (packet.get(Field.ETH_TYPE) == ETH_TYPE_ARP) {
            return ethernet
                    + "arp,arp_op=%d,arp_spa=%s,arp_tpa=%s,arp_sha=%s,arp_tha=%s"
                            .formatted(
                                    packet.get(Field.ARP_OP),
                                    packet.address(Field.ARP_SPA),
                                    packet.address(Field.ARP_TPA),
                                    new MacAddress(packet.get(Field.ARP_SHA)),
                                    new MacAddress(packet.get(Field.ARP_THA)));
        }
        return ethernet
                + "%s=%s,%s=%s,nw_ttl=%d%s%s"
                        .formatted(
                                packet.isIpv6() ? "ipv6,ipv6_src" : "ip,nw_src",
                                packet.source(),
                                packet.isIpv6() ? "ipv6_dst" : "nw_dst",
                                packet.destination(),
                                packet.get(Field.IP_TTL),
                                packet.get(Field.IP_FRAG) == IP_FRAG_FIRST ? ",nw_frag=first" : "",
                                transport(packet));
    }

    private static String transport(Packet packet) {
        int protocol = (int) packet.get(Field.IP_PROTO);
        String named = ",nw_proto=" + protocol;
        return switch (protocol) {
            case Packet.IPPROTO_TCP, Packet.IPPROTO_UDP ->
                named
                        + ",%1$s_src=%2$d,%1$s_dst=%3$d"
                                .formatted(
                                        protocol == Packet.IPPROTO_TCP ? "tcp" : "udp",
                                        packet.sourcePort(),
                                        packet.destinationPort());
            case Packet.IPPROTO_ICMP ->
                named
                        + ",icmp_type=%d,icmp_code=%d"
                                .formatted(packet.get(Field.ICMPV4_TYPE), packet.get(Field.ICMPV4_CODE));
            case Packet.IPPROTO_ICMPV6 ->
                named
                        + ",icmpv6_type=%d,icmpv6_code=%d%s"
                                .formatted(
                                        packet.get(Field.ICMPV6_TYPE),
                                        packet.get(Field.ICMPV6_CODE),
                                        packet.get(Field.ND_SLL) == 0
                                                ? ""
                                                : ",nd_target=%s,nd_sll=%s"
                                                        .formatted(
                                                                packet.address(Field.ND_TARGET),
                                                                new MacAddress(packet.get(Field.ND_SLL))));
            default -> named;
        };
    }

    /** Returns a TCP packet in the syntax of the datapath. */
    static String datapathFlow(Packet packet) {
        return ("in_port(1),eth(src=%s,dst=%s),eth_type(0x0800),ipv4(src=%s,dst=%s,proto=6,tos=0,ttl=%d,frag=no),"
                        + "tcp(src=%d,dst=%d)")
                .formatted(
                        packet.sourceMac(),
                        packet.destinationMac(),
                        packet.source(),
                        packet.destination(),
                        packet.get(Field.IP_TTL),
                        packet.sourcePort(),
                        packet.destinationPort());
    }

    /** Returns what a trace says became of a packet. Headers are those at the end: right if nothing follows an output. */
    static Verdict read(Packet packet, String trace) {
        var path = new ArrayList<FlowKey>();
        var ports = new ArrayList<Integer>();
        int table = 0;
        var cause = Verdict.Cause.FLOW;
        Packet last = packet;
        for (String line : trace.split("\n", -1)) {
            Matcher step = STEP.matcher(line);
            Matcher output = OUTPUT.matcher(line);
            if (step.find()) {
                table = Integer.parseInt(step.group(1));
                if (step.group(2) == null) {
                    cause = Verdict.Cause.NO_FLOW;
                } else {
                    path.add(new FlowKey(table, Integer.parseInt(step.group(2)), Match.of()));
                }
            } else if (output.find()) {
                ports.add(Integer.parseInt(output.group(1)));
            } else if (line.strip().equals("IN_PORT")) {
                ports.add(packet.inPort());
            } else if (line.contains("skipping output to input port") || line.contains("Nonexistent output port")) {
                ports.removeLast();
                cause = Verdict.Cause.PORT;
            } else if (line.startsWith("Final flow: ")) {
                last = finalFlow(packet, line.substring("Final flow: ".length()));
            } else if (line.startsWith("Datapath actions: ") && line.contains(TIME_TO_LIVE_OVER)) {
                cause = Verdict.Cause.TIME_TO_LIVE;
            }
        }
        if (ports.isEmpty()) {
            return new Verdict.Dropped(table, cause, path);
        }
        Packet departing = last;
        return new Verdict.Sent(
                ports.stream()
                        .map(port -> new Verdict.Departure(port, departing))
                        .toList(),
                path);
    }

    private static Packet finalFlow(Packet packet, String text) {
        if (text.equals("unchanged")) {
            return packet;
        }
        SortedMap<String, String> found = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                found.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        Packet changed = packet;
        boolean udp = packet.get(Field.IP_PROTO) == Packet.IPPROTO_UDP;
        for (var field : List.of(
                Field.ETH_SRC,
                Field.ETH_DST,
                Field.IPV4_SRC,
                Field.IPV4_DST,
                Field.IP_TTL,
                Field.IPV6_SRC,
                Field.IPV6_DST,
                udp ? Field.UDP_SRC : Field.TCP_SRC,
                udp ? Field.UDP_DST : Field.TCP_DST,
                packet.isIpv6() ? Field.ICMPV6_TYPE : Field.ICMPV4_TYPE,
                Field.ND_TARGET,
                Field.ND_SLL,
                Field.ND_TLL,
                Field.ND_RESERVED,
                Field.ND_OPTIONS_TYPE,
                Field.ARP_OP,
                Field.ARP_SPA,
                Field.ARP_TPA,
                Field.ARP_SHA,
                Field.ARP_THA)) {
            String value = found.get(name(field));
            if (value != null) {
                changed = field.bits() > Long.SIZE
                        ? changed.with(field, IpAddress.parse(value))
                        : changed.with(field, number(value));
            }
        }
        return changed;
    }

    private static String name(Field field) {
        return switch (field) {
            case ETH_SRC -> "dl_src";
            case ETH_DST -> "dl_dst";
            case TCP_SRC, UDP_SRC -> "tp_src";
            case TCP_DST, UDP_DST -> "tp_dst";
            case ICMPV6_TYPE -> "icmp_type";
            default -> field.ovsName();
        };
    }

    private static long number(String value) {
        if (value.indexOf(':') > 0) {
            return MacAddress.parse(value).value();
        }
        return value.indexOf('.') > 0
                ? Integer.toUnsignedLong(Ipv4Address.parse(value).bits())
                : Long.decode(value);
    }
}
