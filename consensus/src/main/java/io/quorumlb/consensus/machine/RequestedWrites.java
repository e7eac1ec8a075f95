package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.ObjectKind;
import java.util.Optional;

/** Writes that say who they are: done once, however often they are asked, and only on the configuration they expect. */
final class RequestedWrites {
    private static final String EXPECTED_OBJECT = "options.expected_object_revision";

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
        if (origin.expectedObjectRevision().isPresent()) {
            Optional<Outcome.Refused> unexpected = unexpected(
                    state, write.command(), origin.expectedObjectRevision().getAsLong());
            if (unexpected.isPresent()) {
                return new Applied(state, unexpected.get());
            }
        }
        if (requests.full()) {
            return Reply.refused(
                    state,
                    Cause.TOO_MANY,
                    "options.request_id",
                    "%d writes were made within ten minutes, more cannot be told apart: try again in a minute"
                            .formatted(Requests.COUNT_MAX));
        }
        // What lasts for a time begins at the time of the write that asks for it.
        Applied applied = StateMachine.apply(state.with(requests), write.command());
        return applied.outcome() instanceof Outcome.Done done
                ? new Applied(applied.state().with(requests.with(origin, done)), done)
                : new Applied(state, applied.outcome());
    }

    /** Returns why the object that a write is about is not the one its author has seen. */
    private static Optional<Outcome.Refused> unexpected(ClusterState state, Command command, long expected) {
        Optional<Subject> subject = subject(command);
        if (subject.isEmpty()) {
            return Optional.of(Refusal.invalid(
                    EXPECTED_OBJECT,
                    "expected_object_revision %d: only a write of one object can have it, this one has expected_revision"
                            .formatted(expected)));
        }
        Optional<Long> changed = state.model()
                .object(subject.get().kind(), subject.get().name())
                .map(object -> object.meta().revision());
        if (changed.isEmpty()) {
            return Optional.of(new Outcome.Refused(
                    Cause.CHANGED,
                    EXPECTED_OBJECT,
                    "%s does not exist, it was expected as revision %d has left it"
                            .formatted(subject.get(), expected)));
        }
        return changed.get() == expected
                ? Optional.empty()
                : Optional.of(new Outcome.Refused(
                        Cause.CHANGED,
                        EXPECTED_OBJECT,
                        "%s was last changed by revision %d, %d was expected: read it again and decide anew"
                                .formatted(subject.get(), changed.get(), expected)));
    }

    private static Optional<Subject> subject(Command command) {
        if (command instanceof Command.Edit edit) {
            return Optional.of(Subject.of(edit));
        }
        if (command instanceof Command.RampWeight(String pool, String member, int _, long _, int _)) {
            return Optional.of(new Subject(ObjectKind.MEMBER, pool + "/" + member));
        }
        if (command instanceof Command.OverrideGuards(String pool, var _)) {
            return Optional.of(new Subject(ObjectKind.POOL, pool));
        }
        return command instanceof Command.CompactPool(String pool, int _)
                ? Optional.of(new Subject(ObjectKind.POOL, pool))
                : Optional.empty();
    }
}
