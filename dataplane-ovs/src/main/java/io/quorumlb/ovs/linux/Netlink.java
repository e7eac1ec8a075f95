package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Numbers of netlink(7) and rtnetlink(7), sockets, and the messages that are sent. */
final class Netlink {
    static final int AF_UNSPEC = 0;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int HEADER_BYTES = 16;
    static final int NDMSG_BYTES = 12;
    static final int ATTRIBUTE_HEADER_BYTES = 4;
    static final int MAC_BYTES = 6;
    static final int NLM_F_DUMP_INTR = 0x10;
    static final int NLMSG_ERROR = 2;
    static final int NLMSG_DONE = 3;
    static final int RTM_NEWNEIGH = 28;
    static final int NDA_DST = 1;
    static final int NDA_LLADDR = 2;
    static final int RECEIVE_BYTES = 1 << 16;
    static final int NFGENMSG_BYTES = 4;
    /** A message's number after that of its part of the packet filter, which is 10 for nf_tables. */
    static final int NFT_NEWCHAIN = 10 << 8 | 3;

    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int NETLINK_ROUTE = 0;
    private static final int NETLINK_NETFILTER = 12;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SOCKADDR_NL_BYTES = 12;
    private static final int TIMEVAL_BYTES = 16;
    private static final int RTM_GETNEIGH = 30;
    private static final int NFT_GETCHAIN = 10 << 8 | 4;
    private static final int NLM_F_REQUEST = 0x1;
    private static final int NLM_F_ACK = 0x4;
    private static final int NLM_F_REPLACE = 0x100;
    private static final int NLM_F_DUMP = 0x300;
    private static final int NLM_F_CREATE = 0x400;
    private static final int SEQUENCE = 1;

    private Netlink() {}

    /** Opens a socket for interfaces and neighbours whose receive calls end after a second. */
    static int open() throws LinuxException {
        return open(NETLINK_ROUTE);
    }

    /** Opens a socket for the packet filter whose receive calls end after a second. */
    static int openNetfilter() throws LinuxException {
        return open(NETLINK_NETFILTER);
    }

    private static int open(int protocol) throws LinuxException {
        int socket = Libc.socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment oneSecond = arena.allocate(TIMEVAL_BYTES, 8);
            oneSecond.set(JAVA_LONG_UNALIGNED, 0, 1);
            Libc.setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, oneSecond);
            return socket;
        } catch (LinuxException failed) {
            Libc.close(socket);
            throw failed;
        }
    }

    /** Makes the socket hear what the groups are told. */
    static void subscribe(int socket, int groups) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SOCKADDR_NL_BYTES, 4);
            address.set(JAVA_SHORT_UNALIGNED, 0, (short) AF_NETLINK);
            address.set(JAVA_INT_UNALIGNED, 8, groups);
            Libc.bind(socket, address);
        }
    }

    /** Returns the question for all neighbours of all families. */
    static MemorySegment dumpRequest(Arena arena) {
        MemorySegment request = arena.allocate(HEADER_BYTES + NDMSG_BYTES, 4);
        header(request, RTM_GETNEIGH, NLM_F_REQUEST | NLM_F_DUMP);
        request.set(JAVA_BYTE, HEADER_BYTES, (byte) AF_UNSPEC);
        return request;
    }

    /** Returns the question for all chains of one family (linux/netfilter/nf_tables.h). */
    static MemorySegment chainsRequest(Arena arena, int family) {
        MemorySegment request = arena.allocate(HEADER_BYTES + NFGENMSG_BYTES, 4);
        header(request, NFT_GETCHAIN, NLM_F_REQUEST | NLM_F_DUMP);
        request.set(JAVA_BYTE, HEADER_BYTES, (byte) family);
        return request;
    }

    /** Returns the order to have exactly this entry, answered by an acknowledgement. */
    static MemorySegment replaceRequest(Arena arena, KernelNeighbour entry) {
        byte[] address = entry.address().bytes();
        long macAt = HEADER_BYTES + NDMSG_BYTES + aligned(ATTRIBUTE_HEADER_BYTES + address.length);
        MemorySegment request = arena.allocate(macAt + aligned(ATTRIBUTE_HEADER_BYTES + MAC_BYTES), 4);
        header(request, RTM_NEWNEIGH, NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE);
        request.set(JAVA_BYTE, HEADER_BYTES, (byte) family(entry.address()));
        request.set(JAVA_INT_UNALIGNED, HEADER_BYTES + 4L, entry.interfaceIndex());
        request.set(
                JAVA_SHORT_UNALIGNED, HEADER_BYTES + 8L, (short) entry.state().bits());
        attribute(request, HEADER_BYTES + NDMSG_BYTES, NDA_DST, address.length);
        MemorySegment.copy(
                MemorySegment.ofArray(address),
                0,
                request,
                HEADER_BYTES + NDMSG_BYTES + ATTRIBUTE_HEADER_BYTES,
                address.length);
        attribute(request, macAt, NDA_LLADDR, MAC_BYTES);
        for (int i = 0; i < MAC_BYTES; i++) {
            int shift = Byte.SIZE * (MAC_BYTES - 1 - i);
            request.set(JAVA_BYTE, macAt + ATTRIBUTE_HEADER_BYTES + i, (byte) (entry.mac() >>> shift));
        }
        return request;
    }

    static int family(IpAddress address) {
        return address instanceof Ipv4Address ? AF_INET : AF_INET6;
    }

    static long aligned(int length) {
        return (length + 3L) & ~3L;
    }

    private static void header(MemorySegment message, int type, int flags) {
        message.set(JAVA_INT_UNALIGNED, 0, (int) message.byteSize());
        message.set(JAVA_SHORT_UNALIGNED, 4, (short) type);
        message.set(JAVA_SHORT_UNALIGNED, 6, (short) flags);
        message.set(JAVA_INT_UNALIGNED, 8, SEQUENCE);
    }

    private static void attribute(MemorySegment message, long at, int type, int bytes) {
        message.set(JAVA_SHORT_UNALIGNED, at, (short) (ATTRIBUTE_HEADER_BYTES + bytes));
        message.set(JAVA_SHORT_UNALIGNED, at + 2, (short) type);
    }
}
