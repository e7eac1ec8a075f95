package io.quorumlb.node.core;

/**
 * What this node has found of the data path of a node that is silent.
 *
 * @param nextLook when it looks again
 * @param looks how often it has looked
 * @param failures looks in a row that nothing answered
 * @param answered true once a look was answered
 */
record PathTrack(MonotonicTime nextLook, int looks, int failures, boolean answered) {
    /** One lost packet is no dead node. */
    private static final int FAILURES = 3;

    /** What the looks amount to. */
    enum Finding {
        UNDECIDED,
        ANSWERS,
        DEAD
    }

    static PathTrack first(MonotonicTime now) {
        return new PathTrack(now, 0, 0, false);
    }

    Finding finding() {
        if (failures >= FAILURES) {
            return Finding.DEAD;
        }
        return answered ? Finding.ANSWERS : Finding.UNDECIDED;
    }

    PathTrack lookedAt(MonotonicTime next) {
        return new PathTrack(next, looks + 1, failures, answered);
    }

    PathTrack found(boolean answers) {
        return answers
                ? new PathTrack(nextLook, looks, 0, true)
                : new PathTrack(nextLook, looks, failures + 1, answered);
    }
}
