package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Cause;
import java.util.Optional;

/** Writes that say who they are: done once, however often they are asked, and only on the configuration they expect. */
final class RequestedWrites {
    private RequestedWrites() {}

    static Applied apply(ClusterState state, Command.Requested write) {
        Origin origin = write.origin();
        Requests requests = state.requests().at(origin.stampMillis());
        Optional<Requests.Answer> before = requests.answer(origin.request());
        if (before.isPresent()) {
            return before.get().content().equals(origin.content())
                    ? new Applied(state, before.get().done())
                    : Reply.refused(
                            state,
                            Cause.INVALID,
                            "options.request_id",
                            "request id '%s' was used for another write: an id of its own expected for each write"
                                    .formatted(origin.request()));
        }
        if (origin.expectedRevision().isPresent() && origin.expectedRevision().getAsLong() != state.revision()) {
            return Reply.refused(
                    state,
                    Cause.CHANGED,
                    "options.expected_revision",
                    "the configuration is at revision %d, %d was expected: read it again and decide anew"
                            .formatted(
                                    state.revision(), origin.expectedRevision().getAsLong()));
        }
        if (requests.full()) {
            return Reply.refused(
                    state,
                    Cause.TOO_MANY,
                    "options.request_id",
                    "%d writes were made within ten minutes, more cannot be told apart: try again in a minute"
                            .formatted(Requests.COUNT_MAX));
        }
        Applied applied = StateMachine.apply(state, write.command());
        return applied.outcome() instanceof Outcome.Done done
                ? new Applied(applied.state().with(requests.with(origin, done)), done)
                : applied;
    }
}
