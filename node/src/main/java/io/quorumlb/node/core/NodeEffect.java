package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.packet.AddressFrame;
import io.quorumlb.ovs.packet.NeighbourEntry;
import io.quorumlb.ovs.packet.NeighbourQuestion;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a node wants done; each is asked for again while it is still missing. */
public sealed interface NodeEffect {
    /** Make a probe; answered by {@link NodeEvent.ProbeFinished}. */
    record Probe(ProbeTarget target) implements NodeEffect {}

    /** Send the message to the peer if it takes it; one that waits when the next comes may be dropped. */
    record Gossip(NodeId to, GossipMessage message) implements NodeEffect {}

    /** Propose a command; answered by {@link NodeEvent.ProposalFinished}. */
    record Propose(Command command) implements NodeEffect {}

    /**
     * Give this node's leadership away; a change of leadership is the only answer.
     *
     * @param to who is to lead; empty if anybody else may
     * @param reason for people
     */
    record HandOver(Optional<NodeId> to, String reason) implements NodeEffect {}

    /** Ask the leader how far the log is; answered by {@link NodeEvent.BarrierFinished}. */
    record ReadBarrier() implements NodeEffect {}

    /** Read the switch; answered by {@link NodeEvent.SwitchRead} or {@link NodeEvent.SwitchFailed}. */
    record ReadSwitch() implements NodeEffect {}

    /**
     * Read what the switch holds of some pools; answered by {@link NodeEvent.PoolsRead} or {@link NodeEvent.SwitchFailed}. It
     * fails if the switch may be another than the one that was read last.
     */
    record ReadPools(SortedSet<Integer> pools) implements NodeEffect {
        /** Copies the set. */
        public ReadPools {
            pools = Collections.unmodifiableSortedSet(new TreeSet<>(pools));
        }
    }

    /** Change the switch; answered by {@link NodeEvent.SwitchChanged} or {@link NodeEvent.SwitchFailed}. */
    record ChangeSwitch(FlowDelta delta) implements NodeEffect {}

    /**
     * Ask the switch which slots it gives; answered by {@link NodeEvent.FingerprintTaken} or
     * {@link NodeEvent.FingerprintFailed}.
     *
     * @param number to tell answers apart
     * @param source Ethernet source of the packets
     * @param destination Ethernet destination of the packets
     */
    record TakeFingerprint(long number, MacAddress source, MacAddress destination) implements NodeEffect {}

    /** Send frames out of a port of the switch; nothing answers. */
    record SendFrames(int port, List<AddressFrame> frames) implements NodeEffect {
        /** Copies the list. */
        public SendFrames {
            frames = List.copyOf(frames);
        }
    }

    /**
     * Look whether another node's switch and kernel work; answered by {@link NodeEvent.PathLooked}.
     *
     * @param node which
     * @param source this node's own address in a segment
     * @param target the other node's own address there
     */
    record LookAtPath(NodeId node, IpAddress source, IpAddress target) implements NodeEffect {}

    /** Read interfaces and neighbours; answered by {@link NodeEvent.NetworkRead}. */
    record ReadNetwork() implements NodeEffect {}

    /** Ask the network; answered by {@link NodeEvent.NeighboursHeard}, or by nobody. */
    record AskNeighbours(List<NeighbourQuestion> questions) implements NodeEffect {
        /** Copies the list. */
        public AskNeighbours {
            questions = List.copyOf(questions);
        }
    }

    /** Have the kernel send to where the switch sends. */
    record CorrectNeighbour(NeighbourEntry entry) implements NodeEffect {}

    /** Have exactly these VIPs announced and confirm it; answered by {@link NodeEvent.AnnouncementRead}. */
    record Announce(SortedSet<IpAddress> vips) implements NodeEffect {
        /** Copies the set. */
        public Announce {
            vips = Collections.unmodifiableSortedSet(new TreeSet<>(vips));
        }
    }

    /** Have what is announced stay as it is, and confirm it; answered by {@link NodeEvent.AnnouncementRead}. */
    record KeepAnnounced() implements NodeEffect {}

    /**
     * As {@link KeepAnnounced}, and bring back what was withdrawn only because no controller confirmed it in time.
     */
    record RestoreAnnounced() implements NodeEffect {}

    /** Have nothing announced; answered by {@link NodeEvent.AnnouncementRead}. */
    record Withdraw(String reason) implements NodeEffect {}

    /**
     * Tell the operator, once per change.
     *
     * @param severity how much it matters
     * @param code what kind of event it is: lower case with dashes, few and fixed; counted by it
     * @param message for people
     */
    record Say(Severity severity, String code, String message) implements NodeEffect {}

    /** How much a message matters. */
    enum Severity {
        /** Something went as it should. */
        INFO,
        /** Something needs an operator's eye. */
        WARNING
    }
}
