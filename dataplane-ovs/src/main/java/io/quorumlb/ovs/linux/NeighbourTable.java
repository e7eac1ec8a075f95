package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The kernel's IPv4 neighbours, read by a netlink dump (rtnetlink(7), RTM_GETNEIGH). */
public final class NeighbourTable {
    private static final int AF_INET = 2;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int NETLINK_ROUTE = 0;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;

    private static final int NLMSG_HEADER_LENGTH = 16;
    private static final int NDMSG_LENGTH = 12;
    private static final int RTATTR_HEADER_LENGTH = 4;
    private static final int NLM_F_REQUEST = 0x1;
    private static final int NLM_F_DUMP_INTR = 0x10;
    private static final int NLM_F_DUMP = 0x300;
    private static final int NLMSG_ERROR = 2;
    private static final int NLMSG_DONE = 3;
    private static final int RTM_NEWNEIGH = 28;
    private static final int RTM_GETNEIGH = 30;
    private static final int NDA_DST = 1;
    private static final int NDA_LLADDR = 2;
    private static final int RECEIVE_BYTES = 1 << 16;
    private static final int SEQUENCE = 1;
    private static final int MAC_LENGTH = 6;
    private static final int ATTEMPTS_MAX = 3;

    private NeighbourTable() {}

    /**
     * Returns all IPv4 neighbours of this network namespace that have an Ethernet address, usable or not.
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
        throw new LinuxException("dump of neighbours", 16);
    }

    private static Optional<List<KernelNeighbour>> dump() throws LinuxException {
        int socket = Libc.socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment oneSecond = arena.allocate(16, 8);
            oneSecond.set(JAVA_LONG_UNALIGNED, 0, 1);
            Libc.setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, oneSecond);
            Libc.send(socket, request(arena));
            return receive(socket, arena.allocate(RECEIVE_BYTES, 8));
        } finally {
            Libc.close(socket);
        }
    }

    private static MemorySegment request(Arena arena) {
        MemorySegment request = arena.allocate(NLMSG_HEADER_LENGTH + NDMSG_LENGTH, 4);
        request.set(JAVA_INT_UNALIGNED, 0, (int) request.byteSize());
        request.set(JAVA_SHORT_UNALIGNED, 4, (short) RTM_GETNEIGH);
        request.set(JAVA_SHORT_UNALIGNED, 6, (short) (NLM_F_REQUEST | NLM_F_DUMP));
        request.set(JAVA_INT_UNALIGNED, 8, SEQUENCE);
        request.set(JAVA_BYTE, NLMSG_HEADER_LENGTH, (byte) AF_INET);
        return request;
    }

    /** Returns the dump, empty if the table changed while it was made and entries may be missing. */
    private static Optional<List<KernelNeighbour>> receive(int socket, MemorySegment buffer) throws LinuxException {
        var found = new ArrayList<KernelNeighbour>();
        boolean whole = true;
        while (true) {
            MemorySegment datagram = buffer.asSlice(0, Libc.recv(socket, buffer));
            long offset = 0;
            while (offset + NLMSG_HEADER_LENGTH <= datagram.byteSize()) {
                int length = datagram.get(JAVA_INT_UNALIGNED, offset);
                if (length < NLMSG_HEADER_LENGTH || offset + length > datagram.byteSize()) {
                    throw new LinuxException("recv of neighbours", Errno.EPROTO);
                }
                MemorySegment message = datagram.asSlice(offset, length);
                whole &= (message.get(JAVA_SHORT_UNALIGNED, 6) & NLM_F_DUMP_INTR) == 0;
                switch (message.get(JAVA_SHORT_UNALIGNED, 4)) {
                    case NLMSG_DONE -> {
                        return whole ? Optional.of(List.copyOf(found)) : Optional.empty();
                    }
                    case NLMSG_ERROR -> throw refused(message);
                    case RTM_NEWNEIGH -> neighbour(message).ifPresent(found::add);
                    default -> {
                        // Other messages carry nothing about neighbours.
                    }
                }
                offset += aligned(length);
            }
        }
    }

    private static LinuxException refused(MemorySegment message) {
        int error = message.byteSize() < NLMSG_HEADER_LENGTH + 4
                ? Errno.EPROTO
                : -message.get(JAVA_INT_UNALIGNED, NLMSG_HEADER_LENGTH);
        return new LinuxException("RTM_GETNEIGH", error);
    }

    private static Optional<KernelNeighbour> neighbour(MemorySegment message) {
        if (message.byteSize() < NLMSG_HEADER_LENGTH + NDMSG_LENGTH
                || message.get(JAVA_BYTE, NLMSG_HEADER_LENGTH) != AF_INET) {
            return Optional.empty();
        }
        int interfaceIndex = message.get(JAVA_INT_UNALIGNED, NLMSG_HEADER_LENGTH + 4L);
        int state = Short.toUnsignedInt(message.get(JAVA_SHORT_UNALIGNED, NLMSG_HEADER_LENGTH + 8L));
        Optional<Long> address = attribute(message, NDA_DST, 4);
        Optional<Long> mac = attribute(message, NDA_LLADDR, MAC_LENGTH);
        return address.flatMap(ipv4 -> mac.map(
                known -> new KernelNeighbour(interfaceIndex, ipv4.intValue(), known, NeighbourState.of(state))));
    }

    /** Returns the value of an attribute of exactly that many bytes, first byte highest. */
    private static Optional<Long> attribute(MemorySegment message, int wanted, int bytes) {
        long offset = NLMSG_HEADER_LENGTH + NDMSG_LENGTH;
        while (offset + RTATTR_HEADER_LENGTH <= message.byteSize()) {
            int length = Short.toUnsignedInt(message.get(JAVA_SHORT_UNALIGNED, offset));
            int type = Short.toUnsignedInt(message.get(JAVA_SHORT_UNALIGNED, offset + 2));
            if (length < RTATTR_HEADER_LENGTH || offset + length > message.byteSize()) {
                return Optional.empty();
            }
            if (type == wanted && length == RTATTR_HEADER_LENGTH + bytes) {
                long value = 0;
                for (int i = 0; i < bytes; i++) {
                    value = (value << 8)
                            | Byte.toUnsignedLong(message.get(JAVA_BYTE, offset + RTATTR_HEADER_LENGTH + i));
                }
                return Optional.of(value);
            }
            offset += aligned(length);
        }
        return Optional.empty();
    }

    private static long aligned(int length) {
        return (length + 3L) & ~3L;
    }
}
