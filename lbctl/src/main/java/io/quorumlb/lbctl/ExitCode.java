package io.quorumlb.lbctl;

/** What the exit status of the process says. */
enum ExitCode {
    /** True, or done. */
    YES(0),
    /** Answered, but not so: not converged, refused, not proven in time. */
    NO(1),
    /** Not known: nobody answered, too few nodes are known, or the outcome of a write is open. */
    UNKNOWN(2),
    /** The command line is wrong; nothing was asked. */
    USAGE(64);

    private final int status;

    ExitCode(int status) {
        this.status = status;
    }

    /** Returns the exit status, 0, 1, 2 or 64. */
    int status() {
        return status;
    }
}
