package io.quorumlb.verify.sim;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.packet.AddressFrame;
import io.quorumlb.ovs.packet.ArpFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Who tells that it answers for a gateway, and whose switch does. */
final class GatewayChecks {
    private static final int ANSWER_PRIORITY = 990;

    private final Canon canon;

    GatewayChecks(Canon canon) {
        this.canon = canon;
    }

    /** A node is about to tell everybody in a segment who answers for an address. */
    void told(SimNode node, NodeEffect.SendFrames send) {
        long index = node.state().appliedIndex();
        if (index < node.indexWhenWoken()) {
            throw broken("%s tells of gateways by the state at index %d, but %d was committed when it woke"
                    .formatted(node.id, index, node.indexWhenWoken()));
        }
        for (AddressFrame frame : send.frames()) {
            if (!(frame instanceof ArpFrame arp) || !arp.isGratuitous()) {
                throw broken("%s tells of a gateway by %s".formatted(node.id, frame));
            }
            String name = segmentAt(send.port());
            boolean owns = canon.at(index).model().segment(name).stream()
                    .anyMatch(segment ->
                            canon.at(index).gatewaysOf(segment, node.id).contains(arp.sender()));
            if (!owns || !arp.senderMac().equals(SimSite.ownMac(node.id, name))) {
                throw broken("%s tells in segment %s: %s, which the log gives to another at index %d"
                        .formatted(node.id, name, arp, index));
            }
        }
    }

    private static Violation broken(String message) {
        return new Violation(Invariant.GATEWAYS_FOLLOW_THE_LOG, message);
    }

    private static String segmentAt(int port) {
        return SimSite.SEGMENTS.stream()
                .filter(name -> SimSite.port(name) == port)
                .findFirst()
                .orElseThrow(() -> broken("no segment is at port " + port));
    }

    /** Returns what is not as it must be once everybody is well: each address answered by its home and nobody else. */
    static List<String> gaps(ClusterState latest, List<SimNode> nodes) {
        List<String> gaps = new ArrayList<>();
        latest.movedGateways().forEach((gateway, owner) -> gaps.add("%s is at %s".formatted(gateway, owner)));
        for (SimNode node : nodes) {
            for (Segment segment : latest.model().segments().values()) {
                SortedSet<IpAddress> wanted = latest.gatewaysOf(segment, node.id);
                SortedSet<IpAddress> answered = answered(node, segment, nodes);
                if (!wanted.equals(answered)) {
                    gaps.add("switch of %s answers in segment %s for %s, should for %s"
                            .formatted(node.id, segment.name(), answered, wanted));
                }
            }
        }
        return gaps;
    }

    private static SortedSet<IpAddress> answered(SimNode node, Segment segment, List<SimNode> nodes) {
        SortedSet<IpAddress> answered = new TreeSet<>();
        for (NodeId home : nodes.stream().map(other -> other.id).toList()) {
            Optional.ofNullable(segment.gateways().get(home))
                    .filter(address -> node.ovs.flows().stream()
                            .anyMatch(flow -> flow.key().priority() == ANSWER_PRIORITY
                                    && is(flow.key().match(), Field.IN_PORT, SimSite.port(segment.name()))
                                    && is(flow.key().match(), Field.ARP_TPA, address.bits() & 0xffff_ffffL)))
                    .ifPresent(answered::add);
        }
        return answered;
    }

    private static boolean is(Match match, Field field, long value) {
        return match.term(field).filter(term -> term.value() == value).isPresent();
    }
}
