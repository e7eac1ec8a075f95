package io.quorumlb.node.core;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The node's decisions: one function from state, events and time to state and effects. */
public final class NodeCore {
    private NodeCore() {}

    /**
     * Takes one step.
     *
     * @param state before
     * @param events what happened since, in order; may be empty: time alone makes things due
     * @param now the present, never before that of the last step
     */
    public static Step step(NodeState state, List<NodeEvent> events, MonotonicTime now) {
        return step(state, events, now, now.since(state.steppedAt()));
    }

    /**
     * Takes one step of a node that may have been at work since the last one.
     *
     * @param stoodStill the longest time since the last step in which nothing of the process ran; a long step is none
     */
    public static Step step(NodeState state, List<NodeEvent> events, MonotonicTime now, Duration stoodStill) {
        var turn = new Turn(state, now);
        Following.noticePause(turn, stoodStill);
        Gossiping.noticeStall(turn);
        events.forEach(event -> receive(turn, event));
        Gossiping.doubts(turn);
        Following.due(turn);
        Networking.due(turn);
        Resolving.due(turn);
        Observing.due(turn);
        Serving.due(turn);
        Hearing.due(turn);
        Timing.due(turn);
        Leading.due(turn);
        Granting.due(turn);
        Looking.due(turn);
        Assigning.due(turn);
        Fingerprinting.due(turn);
        Installing.due(turn);
        Advertising.due(turn);
        Announcing.due(turn);
        Gossiping.due(turn);
        return turn.finish();
    }

    private static void receive(Turn turn, NodeEvent event) {
        // Single probe results are many and rarely matter: those that change a health are news, as is the log.
        turn.heard |= event instanceof NodeEvent.GossipReceived || event instanceof NodeEvent.ProposalFinished;
        switch (event) {
            case NodeEvent.Tick _ -> {
                // Time is looked at in every step.
            }
            case NodeEvent.ProbeFinished(int memberId, long number, ProbeResult result) ->
                Observing.probeFinished(turn, memberId, number, result);
            case NodeEvent.GossipReceived(var from, var message) -> Gossiping.received(turn, from, message);
            case NodeEvent.LogAdvanced(long index, var cluster) -> Following.advanced(turn, index, cluster);
            case NodeEvent.LeadershipChanged(var leadership) -> Following.leadership(turn, leadership);
            case NodeEvent.BarrierFinished(boolean caughtUp) -> Following.barrierFinished(turn, caughtUp);
            case NodeEvent.ProposalFinished(Command command, var outcome) -> proposalFinished(turn, command, outcome);
            case NodeEvent.SwitchRead(var snapshot, long flowMods) -> {
                Counting.read(turn, snapshot);
                Installing.read(turn, snapshot, flowMods);
            }
            case NodeEvent.PoolsRead(var pools, var part, long flowMods) ->
                Installing.readPools(turn, pools, part, flowMods);
            case NodeEvent.SwitchChanged _ -> Installing.changed(turn);
            case NodeEvent.SwitchFailed(String reason) -> {
                Installing.failed(turn, reason);
                Fingerprinting.outdated(turn);
            }
            case NodeEvent.SwitchTouched _ -> Repairing.touched(turn);
            case NodeEvent.SwitchLost(String reason) -> {
                Installing.lost(turn, reason);
                Fingerprinting.outdated(turn);
            }
            case NodeEvent.DatabaseRead(var database) -> Configuring.read(turn, database);
            case NodeEvent.DatabaseFailed(String reason) -> Configuring.failed(turn, reason);
            case NodeEvent.FingerprintTaken(long number, var fingerprint) ->
                Fingerprinting.taken(turn, number, fingerprint);
            case NodeEvent.FingerprintFailed(long number, String reason) -> Fingerprinting.failed(turn, number, reason);
            case NodeEvent.PathLooked(var node, boolean answers) -> Looking.looked(turn, node, answers);
            case NodeEvent.NetworkRead(NetworkView view) -> Networking.read(turn, view);
            case NodeEvent.NeighboursHeard(var sightings) -> Claims.heard(turn, sightings);
            case NodeEvent.CertificateSeen(var end) -> {
                turn.news |= !turn.certificateEnd.equals(Optional.of(end));
                turn.certificateEnd = Optional.of(end);
            }
            case NodeEvent.AnnouncementRead(boolean announced, String problem) ->
                Announcing.answered(turn, announced, problem);
        }
    }

    private static void proposalFinished(Turn turn, Command command, ProposeOutcome outcome) {
        if (command instanceof Command.CommitGeneration commit) {
            Leading.proposalFinished(turn, commit, outcome);
        } else if (command instanceof Command.SetService set) {
            Granting.proposalFinished(turn, set, outcome);
        } else if (command instanceof Command.AssignGateways assign) {
            Assigning.proposalFinished(turn, assign, outcome);
        }
    }
}
