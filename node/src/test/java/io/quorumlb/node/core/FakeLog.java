package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.NodeId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The replicated log of all nodes in one: a command is committed and applied the moment it is proposed. */
final class FakeLog {
    /** Nodes that hear nothing of the log and cannot write to it. */
    final SortedSet<NodeId> cutOff = new TreeSet<>();

    private final SortedMap<NodeId, Consumer<NodeEvent>> nodes = new TreeMap<>();
    private ClusterState state = ClusterState.empty();
    private long index;
    private long term;
    private Optional<NodeId> leader = Optional.empty();

    /** Starts from a state instead of nothing. */
    void load(ClusterState other) {
        state = other;
        index++;
    }

    ClusterState state() {
        return state;
    }

    /** Makes the node hear of the log, from its present state on. */
    void join(NodeId node, Consumer<NodeEvent> events) {
        nodes.put(node, events);
        events.accept(new NodeEvent.LogAdvanced(index, state));
        events.accept(new NodeEvent.LeadershipChanged(leadership(node)));
    }

    void elect(NodeId node) {
        term++;
        leader = Optional.of(node);
        nodes.forEach((id, events) -> deliver(id, new NodeEvent.LeadershipChanged(leadership(id))));
    }

    /** Does what a leader asks for: the other one leads, or the next node by name that hears the log. */
    void handOver(NodeId node, Optional<NodeId> to) {
        if (leader.equals(Optional.of(node)) && !cutOff.contains(node)) {
            to.or(() -> nodes.keySet().stream()
                            .filter(other -> !other.equals(node))
                            .findFirst())
                    .filter(other -> !cutOff.contains(other))
                    .ifPresent(this::elect);
        }
    }

    void loseLeader() {
        leader = Optional.empty();
        nodes.forEach((id, events) -> deliver(id, new NodeEvent.LeadershipChanged(leadership(id))));
    }

    /** Lets the node hear what it has missed. */
    void reconnect(NodeId node) {
        cutOff.remove(node);
        deliver(node, new NodeEvent.LogAdvanced(index, state));
        deliver(node, new NodeEvent.LeadershipChanged(leadership(node)));
    }

    ProposeOutcome propose(NodeId node, Command command) {
        if (cutOff.contains(node)) {
            return new ProposeOutcome.Unknown("no majority answered within 3 s");
        }
        return leader.equals(Optional.of(node))
                ? new ProposeOutcome.Committed(apply(command))
                : new ProposeOutcome.NotLeader(leader);
    }

    /** Does what an operator wants; it must not be refused. */
    void operator(Command command) {
        if (apply(command) instanceof Outcome.Refused(var cause, var field, var message)) {
            throw new AssertionError(cause + " " + field + ": " + message);
        }
    }

    boolean barrier(NodeId node) {
        return leader.isPresent() && !cutOff.contains(node);
    }

    private Outcome apply(Command command) {
        Applied applied = StateMachine.apply(state, command);
        state = applied.state();
        index++;
        nodes.keySet().forEach(id -> deliver(id, new NodeEvent.LogAdvanced(index, state)));
        return applied.outcome();
    }

    private void deliver(NodeId node, NodeEvent event) {
        Consumer<NodeEvent> events = nodes.get(node);
        if (events != null && !cutOff.contains(node)) {
            events.accept(event);
        }
    }

    private Leadership leadership(NodeId node) {
        return leader.<Leadership>map(
                        id -> id.equals(node) ? new Leadership.Leading(term) : new Leadership.Following(term, id))
                .orElseGet(() -> new Leadership.Searching(term));
    }
}
