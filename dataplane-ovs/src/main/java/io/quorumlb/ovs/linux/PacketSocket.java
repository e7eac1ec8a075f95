package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whole Ethernet frames of one kind, to and from one interface (packet(7)). Reading is for the thread that opened it;
 * sending for any.
 */
public final class PacketSocket implements Channel, AutoCloseable {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOCKADDR_LL_BYTES = 20;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int FILTER_BYTES = 8;
    private static final int FPROG_BYTES = 16;
    private static final int FRAME_BYTES_MAX = 2048;

    private final int socket;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(FRAME_BYTES_MAX, 8);

    /** Which frames are received. */
    public enum Kind {
        /** ARP. */
        ARP(0x0806),
        /** Neighbour advertisements of IPv6, directly behind the IPv6 header. */
        NEIGHBOUR_ADVERTISEMENT(0x86dd);

        private final int etherType;

        Kind(int etherType) {
            this.etherType = etherType;
        }
    }

    private PacketSocket(int socket) {
        this.socket = socket;
    }

    /**
     * Begins to listen on an interface.
     *
     * @param interfaceIndex kernel's number of the interface
     * @param kind which frames
     * @throws LinuxException without the right to open raw sockets, or if the interface is gone
     */
    public static PacketSocket open(int interfaceIndex, Kind kind) throws LinuxException {
        // Protocol 0: nothing is received before the filter is there.
        int socket = Libc.socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
        try (Arena arena = Arena.ofConfined()) {
            if (kind == Kind.NEIGHBOUR_ADVERTISEMENT) {
                Libc.setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, advertisementsOnly(arena));
            }
            MemorySegment address = arena.allocate(SOCKADDR_LL_BYTES, 4);
            address.set(JAVA_SHORT_UNALIGNED, 0, (short) AF_PACKET);
            address.set(JAVA_SHORT_UNALIGNED, 2, Short.reverseBytes((short) kind.etherType));
            address.set(JAVA_INT_UNALIGNED, 4, interfaceIndex);
            Libc.bind(socket, address);
            return new PacketSocket(socket);
        } catch (LinuxException failed) {
            Libc.close(socket);
            throw failed;
        }
    }

    /** A filter of four tests (linux/filter.h): next header 58 at byte 20, type 136 at byte 54. */
    private static MemorySegment advertisementsOnly(Arena arena) {
        int[][] program = {
            {0x30, 0, 0, 20},
            {0x15, 0, 3, 58},
            {0x30, 0, 0, 54},
            {0x15, 0, 1, 136},
            {0x06, 0, 0, FRAME_BYTES_MAX},
            {0x06, 0, 0, 0}
        };
        MemorySegment filters = arena.allocate((long) FILTER_BYTES * program.length, 8);
        for (int i = 0; i < program.length; i++) {
            long at = (long) FILTER_BYTES * i;
            filters.set(JAVA_SHORT_UNALIGNED, at, (short) program[i][0]);
            filters.set(JAVA_BYTE, at + 2, (byte) program[i][1]);
            filters.set(JAVA_BYTE, at + 3, (byte) program[i][2]);
            filters.set(JAVA_INT_UNALIGNED, at + 4, program[i][3]);
        }
        MemorySegment fprog = arena.allocate(FPROG_BYTES, 8);
        fprog.set(JAVA_SHORT_UNALIGNED, 0, (short) program.length);
        fprog.set(ADDRESS, 8, filters);
        return fprog;
    }

    /** Sends a frame as it is. */
    public void send(byte[] frame) throws LinuxException {
        try (Arena own = Arena.ofConfined()) {
            MemorySegment bytes = own.allocate(frame.length, 8);
            MemorySegment.copy(MemorySegment.ofArray(frame), 0, bytes, 0, frame.length);
            Libc.send(socket, bytes);
        }
    }

    /** Returns the next frame, cut at 2048 bytes; empty if none is there now. */
    public Optional<byte[]> read() throws LinuxException {
        OptionalInt length = Libc.recvNow(socket, buffer);
        return length.isEmpty()
                ? Optional.empty()
                : Optional.of(buffer.asSlice(0, length.getAsInt()).toArray(JAVA_BYTE));
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
