package io.quorumlb.verify.sim;

/**
 * Something that goes wrong for a while.
 *
 * @param name for the transcript
 * @param on begins it
 * @param off ends it, whatever else has begun or ended meanwhile
 */
record Fault(String name, Runnable on, Runnable off) {
    /** Something that happens at one moment. */
    static Fault once(String name, Runnable what) {
        return new Fault(name, what, () -> {});
    }
}
