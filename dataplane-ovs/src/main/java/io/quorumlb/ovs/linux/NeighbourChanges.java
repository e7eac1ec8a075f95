package io.quorumlb.ovs.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What the kernel says of changes of its neighbours while this is open. For one thread. */
public final class NeighbourChanges implements Channel, AutoCloseable {
    private static final int RTMGRP_NEIGH = 4;

    private final int socket;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(Netlink.RECEIVE_BYTES, 8);

    private NeighbourChanges(int socket) {
        this.socket = socket;
    }

    /** Begins to listen. Only the calling thread may use what is returned. */
    public static NeighbourChanges open() throws LinuxException {
        int socket = Netlink.open();
        try {
            Netlink.subscribe(socket, RTMGRP_NEIGH);
            return new NeighbourChanges(socket);
        } catch (LinuxException failed) {
            Libc.close(socket);
            throw failed;
        }
    }

    /**
     * What was read.
     *
     * @param neighbours entries that were added or changed and have a MAC address
     * @param lost true if the kernel had more to say than it kept: only a dump tells all
     */
    public record Changes(List<KernelNeighbour> neighbours, boolean lost) {
        /** Copies the list. */
        public Changes {
            neighbours = List.copyOf(neighbours);
        }
    }

    /** Returns one message's changes; empty if nothing is there now. */
    public Optional<Changes> read() throws LinuxException {
        try {
            OptionalInt length = Libc.recvNow(socket, buffer);
            return length.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Changes(
                            NeighbourMessages.parse(buffer.asSlice(0, length.getAsInt()))
                                    .neighbours(),
                            false));
        } catch (LinuxException failed) {
            if (failed.errno() == Errno.ENOBUFS) {
                return Optional.of(new Changes(List.of(), true));
            }
            throw failed;
        }
    }

    @Override
    public int descriptor() {
        return socket;
    }

    @Override
    public void close() throws LinuxException {
        arena.close();
        Libc.close(socket);
    }
}
