package io.quorumlb.lbctl;

/** Ends a command with a sentence for people and an exit code; never shown as a stack trace. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    /**
     * Creates a failure.
     *
     * @param code what the process ends with
     * @param sentence what happened and what to do next
     */
    CommandFailure(ExitCode code, String sentence) {
        super(sentence, null, false, false);
        this.code = code;
    }

    /** Returns what the process ends with. */
    ExitCode code() {
        return code;
    }

    /** Returns what happened and what to do next. */
    String sentence() {
        return String.valueOf(getMessage());
    }
}
