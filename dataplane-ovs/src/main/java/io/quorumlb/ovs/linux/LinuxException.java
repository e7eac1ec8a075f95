package io.quorumlb.ovs.linux;

import java.io.Serial;
import java.util.Objects;

/** A system call failed. */
public final class LinuxException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    /**
     * Describes a failed call.
     *
     * @param call name of the call, for example {@code socket}
     * @param errno error number of the kernel, positive
     */
    LinuxException(String call, int errno) {
        super(call + " failed: " + Errno.describe(errno));
        this.call = call;
        this.errno = errno;
    }

    /** Returns the name of the call. */
    public String call() {
        return call;
    }

    /** Returns the error number of the kernel. */
    public int errno() {
        return errno;
    }

    /** Returns the reason, never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
