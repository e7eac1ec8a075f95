package io.quorumlb.node.gossip;

/** What is known of the way to a peer. */
sealed interface LinkState {
    /** No attempt has ended yet. */
    record Unknown() implements LinkState {}

    /** The peer takes our records. */
    record Connected() implements LinkState {}

    /** The peer cannot be reached or has stopped answering. */
    record Lost(String reason) implements LinkState {}

    /** The peer answers and does not want us. */
    record Refused(String reason) implements LinkState {}

    /** Returns true if an operator has nothing to learn from the change: how an attempt failed varies. */
    default boolean sameAs(LinkState other) {
        return switch (this) {
            case Lost _ -> other instanceof Lost;
            case Unknown _, Connected _, Refused _ -> equals(other);
        };
    }
}
