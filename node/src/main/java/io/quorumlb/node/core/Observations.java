package io.quorumlb.node.core;

import io.quorumlb.consensus.pool.Observation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What this node and the others have found, with ages as of one moment, fresh or not. Only what is asked for is looked up. */
final class Observations {
    private final NodeState state;
    private final MonotonicTime now;

    Observations(NodeState state, MonotonicTime now) {
        this.state = state;
        this.now = now;
    }

    /** Returns what was found of one member, by at most each node once. */
    List<Observation> of(int memberId) {
        List<Observation> found = new ArrayList<>();
        state.ownObservation(memberId, now).ifPresent(found::add);
        for (HeldRecord held : state.gossip().held().values()) {
            held.observation(memberId, now).ifPresent(found::add);
        }
        return Collections.unmodifiableList(found);
    }
}
