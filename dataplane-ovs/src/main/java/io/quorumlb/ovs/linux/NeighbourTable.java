package io.quorumlb.ovs.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The kernel's neighbours: read by a netlink dump, changed one by one (rtnetlink(7)). */
public final class NeighbourTable {
    private static final int ATTEMPTS_MAX = 3;
    private static final int EBUSY = 16;

    private NeighbourTable() {}

    /**
     * Returns all neighbours of this network namespace that have an Ethernet address, usable or not.
     *
     * @throws LinuxException if the kernel refuses the dump, does not answer within a second, or the table changes so
     *     fast that three dumps were incomplete
     */
    public static List<KernelNeighbour> read() throws LinuxException {
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            Optional<List<KernelNeighbour>> whole = dump();
            if (whole.isPresent()) {
                return whole.get();
            }
        }
        throw new LinuxException("dump of neighbours", EBUSY);
    }

    /**
     * Makes the kernel have exactly this entry, in place of what it has for the address.
     *
     * @throws LinuxException if the kernel refuses, as it does without the right to administer the network
     */
    public static void replace(KernelNeighbour entry) throws LinuxException {
        int socket = Netlink.open();
        try (Arena arena = Arena.ofConfined()) {
            Libc.send(socket, Netlink.replaceRequest(arena, entry));
            MemorySegment buffer = arena.allocate(Netlink.RECEIVE_BYTES, 8);
            boolean acknowledged = false;
            while (!acknowledged) {
                acknowledged = NeighbourMessages.parse(buffer.asSlice(0, Libc.recv(socket, buffer)))
                        .last();
            }
        } finally {
            Libc.close(socket);
        }
    }

    /** Returns the dump, empty if the table changed while it was made and entries may be missing. */
    private static Optional<List<KernelNeighbour>> dump() throws LinuxException {
        int socket = Netlink.open();
        try (Arena arena = Arena.ofConfined()) {
            Libc.send(socket, Netlink.dumpRequest(arena));
            MemorySegment buffer = arena.allocate(Netlink.RECEIVE_BYTES, 8);
            List<KernelNeighbour> found = new ArrayList<>();
            boolean whole = true;
            while (true) {
                NeighbourMessages messages = NeighbourMessages.parse(buffer.asSlice(0, Libc.recv(socket, buffer)));
                found.addAll(messages.neighbours());
                whole &= messages.whole();
                if (messages.last()) {
                    return whole ? Optional.of(List.copyOf(found)) : Optional.empty();
                }
            }
        } finally {
            Libc.close(socket);
        }
    }
}
