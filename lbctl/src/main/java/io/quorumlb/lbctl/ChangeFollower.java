package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.CommittedChange;
import io.quorumlb.proto.v1.ListChangesRequest;
import io.quorumlb.proto.v1.ListChangesResponse;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Reads committed changes page by page, each page from any node. */
final class ChangeFollower {
    /** How long a node waits for a change. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(500);

    private final Control control;
    private final Console console;
    private final Duration patience;
    private final Consumer<CommittedChange> entries;

    /**
     * Creates a follower.
     *
     * @param patience how long nobody may answer
     * @param entries takes what one log entry changed
     */
    ChangeFollower(Control control, Console console, Duration patience, Consumer<CommittedChange> entries) {
        this.control = control;
        this.console = console;
        this.patience = patience;
        this.entries = entries;
    }

    /** Shows all that the asked node still has. */
    ExitCode history() {
        ListChangesResponse kept = control.read(stub -> stub.listChanges(ListChangesRequest.getDefaultInstance()));
        long after = kept.getSince();
        while (after < kept.getIndex()) {
            var request = ListChangesRequest.newBuilder().setAfterIndex(after).build();
            ListChangesResponse next = control.read(stub -> stub.listChanges(request));
            show(next);
            if (next.getIndex() <= after) {
                return ExitCode.YES;
            }
            after = next.getIndex();
        }
        return ExitCode.YES;
    }

    /**
     * Shows what comes; returns only by a failure.
     *
     * @param since index after which to begin; empty begins now
     * @throws CommandFailure if a node refused, or none answered for too long
     */
    ExitCode live(OptionalLong since) {
        long after = since.isPresent()
                ? since.getAsLong()
                : control.read(stub -> stub.listChanges(ListChangesRequest.getDefaultInstance()))
                        .getIndex();
        while (true) {
            ListChangesResponse next = next(after);
            show(next);
            after = Math.max(after, next.getIndex());
        }
    }

    /** Asks until somebody answers. */
    private ListChangesResponse next(long after) {
        var request = ListChangesRequest.newBuilder()
                .setAfterIndex(after)
                .setWaitMillis((int) WAIT.toMillis())
                .build();
        var budget = new Budget(patience);
        while (true) {
            try {
                return control.readEach(WAIT.plus(patience), stub -> stub.listChanges(request));
            } catch (CommandFailure nobody) {
                if (nobody.code() != ExitCode.UNKNOWN || !budget.remaining().isPositive()) {
                    throw nobody;
                }
                console.say("no node answers; trying again after index %d".formatted(after));
                LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
            }
        }
    }

    private void show(ListChangesResponse response) {
        response.getChangesList().forEach(entries);
        console.out().flush();
    }
}
