package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What this node and the others have found, with ages as of one moment, fresh or not. Only what is asked for is looked up. */
final class Observations {
    private final NodeState state;
    private final MonotonicTime now;

    Observations(NodeState state, MonotonicTime now) {
        this.state = state;
        this.now = now;
    }

    /** Returns what counts of one member: what each voter has found that is young enough, by voter. */
    List<Observation> fresh(int memberId, Duration limit) {
        List<Observation> fresh = new ArrayList<>();
        for (NodeId voter : state.settings().voters()) {
            by(voter, memberId).filter(seen -> seen.age().compareTo(limit) <= 0).ifPresent(fresh::add);
        }
        return Collections.unmodifiableList(fresh);
    }

    private Optional<Observation> by(NodeId node, int memberId) {
        if (node.equals(state.settings().self())) {
            return state.ownObservation(memberId, now);
        }
        HeldRecord held = state.gossip().held().get(node);
        return held == null ? Optional.empty() : held.observation(memberId, now);
    }

    /** Returns what was found of one member, by at most each node once. */
    List<Observation> of(int memberId) {
        List<Observation> found = new ArrayList<>();
        state.ownObservation(memberId, now).ifPresent(found::add);
        state.gossip()
                .held()
                .values()
                .forEach(held -> held.observation(memberId, now).ifPresent(found::add));
        return Collections.unmodifiableList(found);
    }
}
