package io.quorumlb.ovs.openflow;

/** What a bundle control message asks for or answers (OpenFlow 1.5.1, 7.3.9.2). */
enum BundleStep {
    OPEN_REQUEST(0),
    OPEN_REPLY(1),
    CLOSE_REQUEST(2),
    CLOSE_REPLY(3),
    COMMIT_REQUEST(4),
    COMMIT_REPLY(5),
    DISCARD_REQUEST(6),
    DISCARD_REPLY(7);

    private final int number;

    BundleStep(int number) {
        this.number = number;
    }

    /** Returns the number on the wire. */
    int number() {
        return number;
    }

    /**
     * Returns the step of a number on the wire.
     *
     * @throws MalformedMessageException if there is none
     */
    static BundleStep of(int number) {
        for (BundleStep step : values()) {
            if (step.number == number) {
                return step;
            }
        }
        throw new MalformedMessageException("bundle control type must be 0..7, is " + number);
    }
}
