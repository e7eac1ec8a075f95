package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one peer is sent in this step. */
final class Letter {
    private final Turn turn;
    private final NodeId peer;
    private final SortedMap<NodeId, Beat> beats = new TreeMap<>();
    private final SortedMap<NodeId, Delta> deltas = new TreeMap<>();
    private final List<Stamp> held = new ArrayList<>();
    private final List<Stamp> wanted = new ArrayList<>();

    Letter(Turn turn, NodeId peer) {
        this.turn = turn;
        this.peer = peer;
    }

    void beat(NodeId owner) {
        Optional<HeardBeat> last = owner.equals(turn.settings.self())
                ? turn.gossip.own().beat()
                : Optional.ofNullable(turn.gossip.held().get(owner)).flatMap(HeldRecord::latest);
        last.ifPresent(heard -> beats.put(owner, heard.asOf(turn.now)));
    }

    /** Adds all that is held of a record after the stamp. */
    void since(Stamp stamp) {
        Document document = turn.gossip.document(turn.settings.self(), stamp.owner());
        Optional<Delta> delta = document.since(stamp);
        delta.ifPresent(change -> deltas.put(stamp.owner(), change));
        if (delta.isPresent() && stamp.owner().equals(turn.settings.self())) {
            SortedMap<NodeId, Stamp> sent = new TreeMap<>(turn.gossip.sent());
            sent.put(peer, document.stamp(stamp.owner()));
            turn.gossip = turn.gossip.sent(sent);
        }
    }

    void held(NodeId owner) {
        held.add(turn.gossip.stamp(turn.settings.self(), owner));
    }

    void want(Stamp stamp) {
        wanted.add(stamp);
    }

    void send() {
        var message = new GossipMessage(List.copyOf(beats.values()), List.copyOf(deltas.values()), held, wanted);
        if (!message.isEmpty()) {
            turn.want(new NodeEffect.Gossip(peer, message));
        }
    }
}
