package io.quorumlb.consensus.raft;

/** The log could not be opened; the message names the directory or port and says what to do. */
public final class RaftStartException extends Exception {
    private static final long serialVersionUID = 1L;

    RaftStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
