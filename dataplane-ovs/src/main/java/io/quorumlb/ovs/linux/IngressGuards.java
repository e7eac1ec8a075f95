package io.quorumlb.ovs.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** Interfaces whose packets the kernel's own network stack does not see: nf_tables drops them at the ingress hook. */
public final class IngressGuards {
    private static final int NFPROTO_NETDEV = 5;
    private static final int ATTEMPTS_MAX = 3;
    private static final int EBUSY = 16;

    private IngressGuards() {}

    /**
     * Returns the names of all interfaces of this network namespace that have a chain of policy drop at their ingress hook.
     * What the chain's rules accept is not looked at.
     *
     * @throws LinuxException if the kernel refuses, as it does without the right to administer the network, or the chains
     *     change so fast that three dumps were incomplete
     */
    public static SortedSet<String> read() throws LinuxException {
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            SortedSet<String> found = new TreeSet<>();
            if (dump(found)) {
                return Collections.unmodifiableSortedSet(found);
            }
        }
        throw new LinuxException("dump of chains", EBUSY);
    }

    /** Adds what there is; returns false if the chains changed meanwhile and some may be missing. */
    private static boolean dump(SortedSet<String> found) throws LinuxException {
        int socket = Netlink.openNetfilter();
        try (Arena arena = Arena.ofConfined()) {
            Libc.send(socket, Netlink.chainsRequest(arena, NFPROTO_NETDEV));
            MemorySegment buffer = arena.allocate(Netlink.RECEIVE_BYTES, 8);
            boolean whole = true;
            while (true) {
                ChainMessages messages = ChainMessages.parse(buffer.asSlice(0, Libc.recv(socket, buffer)));
                found.addAll(messages.guarded());
                whole &= messages.whole();
                if (messages.last()) {
                    return whole;
                }
            }
        } finally {
            Libc.close(socket);
        }
    }
}
