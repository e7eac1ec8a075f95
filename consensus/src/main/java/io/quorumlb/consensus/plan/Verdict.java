package io.quorumlb.consensus.plan;

/** The cluster's view of one member. */
public sealed interface Verdict {
    /** A majority of all voters sees it up. */
    record Up(int votes) implements Verdict {}

    /** A majority of all voters sees it down. */
    record Down(int votes) implements Verdict {}

    /** Neither; what was committed before stays. */
    record Undecided() implements Verdict {}
}
