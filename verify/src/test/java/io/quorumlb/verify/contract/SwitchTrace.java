package io.quorumlb.verify.contract;

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
                                    address(packet, Field.ARP_SPA),
                                    address(packet, Field.ARP_TPA),
                                    new MacAddress(packet.get(Field.ARP_SHA)),
                                    new MacAddress(packet.get(Field.ARP_THA)));
        }
        return ethernet
                + "tcp,nw_src=%s,nw_dst=%s,nw_ttl=%d,tcp_src=%d,tcp_dst=%d%s"
                        .formatted(
                                packet.source(),
                                packet.destination(),
                                packet.get(Field.IP_TTL),
                                packet.sourcePort(),
                                packet.destinationPort(),
                                packet.get(Field.IP_FRAG) == IP_FRAG_FIRST ? ",nw_frag=first" : "");
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

    private static Ipv4Address address(Packet packet, Field field) {
        return new Ipv4Address((int) packet.get(field));
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
        for (var field : List.of(
                Field.ETH_SRC,
                Field.ETH_DST,
                Field.IPV4_SRC,
                Field.IPV4_DST,
                Field.IP_TTL,
                Field.TCP_SRC,
                Field.TCP_DST,
                Field.ARP_OP,
                Field.ARP_SPA,
                Field.ARP_TPA,
                Field.ARP_SHA,
                Field.ARP_THA)) {
            String value = found.get(name(field));
            if (value != null) {
                changed = changed.with(field, number(value));
            }
        }
        return changed;
    }

    private static String name(Field field) {
        return switch (field) {
            case ETH_SRC -> "dl_src";
            case ETH_DST -> "dl_dst";
            case TCP_SRC -> "tp_src";
            case TCP_DST -> "tp_dst";
            default -> field.ovsName();
        };
    }

    private static long number(String value) {
        if (value.indexOf(':') > 0) {
            return MacAddress.parse(value).value();
        }
        return value.indexOf('.') > 0
                ? Integer.toUnsignedLong(Ipv4Address.parse(value).bits())
                : Long.parseLong(value);
    }
}
