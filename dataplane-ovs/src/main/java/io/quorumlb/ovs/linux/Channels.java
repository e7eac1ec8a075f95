package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/** Waiting for several sockets at once (poll(2)). */
public final class Channels {
    private static final short POLLIN = 1;

    private Channels() {}

    /**
     * Returns when one of the channels has something to read or to complain of, or when the time is over.
     *
     * @param channels none just waits
     * @param longest most time to wait, in whole milliseconds
     */
    public static void await(List<? extends Channel> channels, Duration longest) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sockets = arena.allocate((long) Libc.POLLFD_BYTES * channels.size(), 4);
            for (int i = 0; i < channels.size(); i++) {
                sockets.set(
                        JAVA_INT_UNALIGNED,
                        (long) Libc.POLLFD_BYTES * i,
                        channels.get(i).descriptor());
                sockets.set(JAVA_SHORT_UNALIGNED, (long) Libc.POLLFD_BYTES * i + Integer.BYTES, POLLIN);
            }
            var _ = Libc.poll(sockets, Math.toIntExact(longest.toMillis()));
        }
    }
}
