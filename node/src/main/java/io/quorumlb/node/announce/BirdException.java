package io.quorumlb.node.announce;

/** BIRD cannot be asked, does not answer, or refuses. */
final class BirdException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String problem;

    BirdException(String problem) {
        super(problem);
        this.problem = problem;
    }

    BirdException(String problem, Throwable cause) {
        super(problem, cause);
        this.problem = problem;
    }

    /** Returns what is wrong, one sentence for people. */
    @Override
    public String getMessage() {
        return problem;
    }
}
