package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Publishes this node's record and relays the others', so that one cut link hides nobody. */
final class Gossiping {
    private static final Duration PERIOD = Duration.ofMillis(500);

    private Gossiping() {}

    static void received(Turn turn, List<NodeRecord> records) {
        SortedMap<NodeId, HeldRecord> held = new TreeMap<>(turn.gossip.held());
        for (NodeRecord record : records) {
            if (record.owner().equals(turn.settings.self())) {
                goAbove(turn, record.incarnation());
            } else if (turn.settings.voters().contains(record.owner())) {
                HeldRecord old = held.get(record.owner());
                if (old == null || record.newerThan(old.record())) {
                    held.put(record.owner(), new HeldRecord(record, turn.now));
                    Doubting.heard(turn, record);
                }
            }
        }
        turn.gossip = turn.gossip.withHeld(held);
    }

    /** Records of an earlier life of this node would hide its new ones. */
    private static void goAbove(Turn turn, long incarnation) {
        if (incarnation > turn.gossip.incarnation()) {
            turn.say(
                    Severity.WARNING,
                    "incarnation-raised",
                    "heard of a later life of this node: incarnation %d becomes %d",
                    turn.gossip.incarnation(),
                    incarnation + 1);
            turn.gossip = turn.gossip.withIncarnation(incarnation + 1);
            turn.news = true;
        }
    }

    static void due(Turn turn) {
        if (!turn.news && !turn.now.reached(turn.gossip.nextPublish())) {
            return;
        }
        NodeState state = turn.state();
        NodeRecord own = new NodeRecord(
                turn.settings.self(),
                turn.gossip.incarnation(),
                turn.gossip.sequence() + 1,
                Duration.ZERO,
                state.ownObservations(turn.now),
                Reporting.report(state, turn.now));
        turn.gossip = turn.gossip.withPublished(own, turn.now.plus(PERIOD));
        List<NodeRecord> all = new ArrayList<>();
        all.add(own);
        turn.gossip.held().values().forEach(held -> all.add(held.asOf(turn.now)));
        turn.want(new NodeEffect.Gossip(all));
    }
}
