package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.ClusterState.LastIds;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.Model;

/** What becomes of a command, in the forms that all commands share. */
final class Reply {
    private Reply() {}

    static Applied created(ClusterState state, Model next, LastIds ids, int id) {
        return new Applied(state.configured(next, ids), new Outcome.Done(id, state.revision() + 1));
    }

    static Applied changed(ClusterState state, Model next, int id) {
        if (next.equals(state.model())) {
            return new Applied(state, new Outcome.Done(id, state.revision()));
        }
        return created(state, next, state.lastIds(), id);
    }

    static Applied refused(ClusterState state, Cause cause, String field, String message) {
        return new Applied(state, new Outcome.Refused(cause, field, message));
    }

    static Applied notFound(ClusterState state, String field, String what) {
        return refused(state, Cause.NOT_FOUND, field, what + " does not exist");
    }
}
