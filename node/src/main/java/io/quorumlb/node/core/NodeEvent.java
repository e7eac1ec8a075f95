package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.ovs.flow.SwitchDatabase;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.packet.NeighbourSighting;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What happens to a node. */
public sealed interface NodeEvent {
    /** Time has passed. */
    record Tick() implements NodeEvent {}

    /** The probe of the member with this number ended. */
    record ProbeFinished(int memberId, long number, ProbeResult result) implements NodeEvent {}

    /** A peer sent a message, of itself and of others it has heard. */
    record GossipReceived(NodeId from, GossipMessage message) implements NodeEvent {}

    /** The log advanced. */
    record LogAdvanced(long index, ClusterState state) implements NodeEvent {}

    /** Who leads has changed. */
    record LeadershipChanged(Leadership leadership) implements NodeEvent {}

    /** A read barrier ended; false if no leader answered in time. */
    record BarrierFinished(boolean caughtUp) implements NodeEvent {}

    /** A proposal of this node ended. */
    record ProposalFinished(Command command, ProposeOutcome outcome) implements NodeEvent {}

    /**
     * The switch was read.
     *
     * @param snapshot what it holds
     * @param flowModsSent flow-mods since the start
     */
    record SwitchRead(SwitchSnapshot snapshot, long flowModsSent) implements NodeEvent {}

    /**
     * Some pools were read from the switch that was read last.
     *
     * @param pools which
     * @param part their flows, with all ports and groups
     * @param flowModsSent flow-mods since the start
     */
    record PoolsRead(SortedSet<Integer> pools, SwitchSnapshot part, long flowModsSent) implements NodeEvent {
        /** Copies the set. */
        public PoolsRead {
            pools = Collections.unmodifiableSortedSet(new TreeSet<>(pools));
        }
    }

    /** The asked change of the switch is active. */
    record SwitchChanged() implements NodeEvent {}

    /** The fingerprint with this number was taken. */
    record FingerprintTaken(long number, Fingerprint fingerprint) implements NodeEvent {}

    /** The fingerprint with this number could not be taken. */
    record FingerprintFailed(long number, String reason) implements NodeEvent {}

    /** Reading or changing the switch failed; what it holds is unknown. */
    record SwitchFailed(String reason) implements NodeEvent {}

    /** Somebody else has changed flows since the switch was read. */
    record SwitchTouched() implements NodeEvent {}

    /** The connection to the switch has ended; what it holds is unknown. */
    record SwitchLost(String reason) implements NodeEvent {}

    /** The switch's database says how it is configured. */
    record DatabaseRead(SwitchDatabase database) implements NodeEvent {}

    /** The switch's database cannot be read; what it said last may be out of date. */
    record DatabaseFailed(String reason) implements NodeEvent {}

    /**
     * A look at the data path of another node ended.
     *
     * @param node which
     * @param answers true if its kernel answered through its switch
     */
    record PathLooked(NodeId node, boolean answers) implements NodeEvent {}

    /** The kernel's interfaces and neighbours were read. */
    record NetworkRead(NetworkView view) implements NodeEvent {}

    /** Somebody said where addresses are. */
    record NeighboursHeard(List<NeighbourSighting> sightings) implements NodeEvent {
        /** Copies the list. */
        public NeighboursHeard {
            sightings = List.copyOf(sightings);
        }
    }

    /** The certificate that clients see was looked at; it may be the same as before. */
    record CertificateSeen(Instant end) implements NodeEvent {}

    /**
     * The announcer did what was asked, or could not.
     *
     * @param announced true if the routes are announced now
     * @param problem why the announcer could not do as asked; empty if it could
     */
    record AnnouncementRead(boolean announced, String problem) implements NodeEvent {}
}
