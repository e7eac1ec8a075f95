package io.quorumlb.lbctl;

import io.grpc.Status;

/** What came of asking one node once. */
sealed interface Attempt<R> {
    /** The node answered. */
    record Answered<R>(R response) implements Attempt<R> {}

    /** The node said no; another node would say the same. */
    record Refused<R>(Status status) implements Attempt<R> {}

    /** Nothing was done: the node could not be reached, or said that it cannot serve now. */
    record NotDone<R>(String reason) implements Attempt<R> {}

    /** The call left, and no answer came: it may have been done. */
    record Lost<R>(String reason) implements Attempt<R> {}
}
