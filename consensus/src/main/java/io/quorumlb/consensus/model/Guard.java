package io.quorumlb.consensus.model;

/** What may hold a change of a pool's table back until it is safe, or until an operator overrides it once. */
public enum Guard {
    /** Most of the pool would go down and not every fresh voter agrees. */
    MASS_FAILURE("mass-failure-held"),
    /** A majority sees a member down and another voter sees it up: others may be about to follow. */
    DISPUTED("disputed"),
    /** The member's health changed too often in a short time. */
    FLAPPING("held-down-flapping"),
    /** A new leader has not yet heard a majority of the voters for long enough. */
    SETTLING("settling"),
    /** More slots would move, without need, than one change may move. */
    DISRUPTION("disruption-held");

    private final String code;

    Guard(String code) {
        this.code = code;
    }

    /** Returns the reason code that events and reports carry. */
    public String code() {
        return code;
    }
}
