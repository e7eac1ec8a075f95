package io.quorumlb.consensus.machine;

/** What became of a command. */
public sealed interface Outcome {
    /**
     * It changed the state.
     *
     * @param id of the object that was made or changed
     * @param revision of the configuration after it; for a generation, the configuration's unchanged revision
     */
    record Done(int id, long revision) implements Outcome {}

    /**
     * It was refused and changed nothing.
     *
     * @param cause kind of refusal
     * @param field what was wrong, for programs, for example {@code member.address}
     * @param message the same for people, with value and limit
     */
    record Refused(Cause cause, String field, String message) implements Outcome {}

    /** Kinds of refusal. */
    enum Cause {
        /** The command itself is wrong. */
        INVALID,
        /** It names something that does not exist. */
        NOT_FOUND,
        /** It would make a name or an address exist twice. */
        ALREADY_EXISTS,
        /** Something still uses what it would remove. */
        IN_USE,
        /** It would cross a limit that guards traffic. */
        LIMIT,
        /** It was made from a state that has changed since. */
        STALE,
        /** The configuration is no longer the one that its maker has looked at. */
        CHANGED
    }
}
