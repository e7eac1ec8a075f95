package io.quorumlb.verify.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.linux.NetworkInterfaces;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** Sends frames on one interface, many with one call of {@code sendmmsg}; receives nothing. One thread only. */
final class PacketSocket implements AutoCloseable {
    /** Frames of one call. */
    static final int BATCH = 32;

    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    private static final int ENOBUFS = 105;
    private static final int EAGAIN = 11;
    /** Sizes of struct sockaddr_ll, iovec and mmsghdr, and the places of iov and iovlen in the last. */
    private static final int ADDRESS_BYTES = 20;

    private static final int VECTOR_BYTES = 16;
    private static final int HEADER_BYTES = 64;
    private static final int HEADER_VECTOR = 16;
    private static final int HEADER_VECTORS = 24;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERRNO =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SOCKET =
            function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND =
            function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SENDMMSG =
            function("sendmmsg", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
    private final MemorySegment vectors = arena.allocate((long) BATCH * VECTOR_BYTES, Long.BYTES);
    private final MemorySegment headers = arena.allocate((long) BATCH * HEADER_BYTES, Long.BYTES);
    private final int socket;

    /** Opens a socket on the interface of that name in this network namespace. */
    PacketSocket(String interfaceName) throws IOException {
        MemorySegment address = arena.allocate(ADDRESS_BYTES, Integer.BYTES);
        address.set(JAVA_SHORT, 0, (short) AF_PACKET);
        try {
            address.set(JAVA_INT, 4, NetworkInterfaces.index(interfaceName));
            socket = checked("socket", (int) SOCKET.invokeExact(state, AF_PACKET, SOCK_RAW, 0));
            var _ = checked("bind", (int) BIND.invokeExact(state, socket, address, ADDRESS_BYTES));
        } catch (IOException failed) {
            throw failed;
        } catch (LinuxException failed) {
            throw new IOException(interfaceName + ": " + failed.getMessage(), failed);
        } catch (Throwable impossible) {
            throw new IllegalStateException("opening a packet socket", impossible);
        }
        for (long i = 0; i < BATCH; i++) {
            headers.set(ADDRESS, i * HEADER_BYTES + HEADER_VECTOR, vectors.asSlice(i * VECTOR_BYTES));
            headers.set(JAVA_LONG, i * HEADER_BYTES + HEADER_VECTORS, 1);
        }
    }

    /**
     * Sends frames that lie one behind the other.
     *
     * @param frames memory with all frames
     * @param first index of the first frame to send
     * @param count how many, 1..{@link #BATCH}
     * @return how many the kernel took; 0 if it had no room
     */
    int send(MemorySegment frames, int first, int count) throws IOException {
        for (long i = 0; i < count; i++) {
            vectors.set(ADDRESS, i * VECTOR_BYTES, frames.asSlice((first + i) * Frames.BYTES));
            vectors.set(JAVA_LONG, i * VECTOR_BYTES + Long.BYTES, Frames.BYTES);
        }
        try {
            int taken = (int) SENDMMSG.invokeExact(state, socket, headers, count, 0);
            return taken < 0 && noRoom((int) ERRNO.get(state, 0L)) ? 0 : checked("sendmmsg", taken);
        } catch (IOException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException("calling sendmmsg", impossible);
        }
    }

    /** Returns memory for frames that lives as long as this socket. */
    MemorySegment frames(int count) {
        return arena.allocate((long) count * Frames.BYTES, JAVA_BYTE.byteAlignment());
    }

    private static boolean noRoom(int errno) {
        return errno == ENOBUFS || errno == EAGAIN;
    }

    private int checked(String call, int result) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": errno " + (int) ERRNO.get(state, 0L));
        }
        return result;
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        MemorySegment address = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new ExceptionInInitializerError("the C library has no function " + name));
        return LINKER.downcallHandle(address, descriptor, Linker.Option.captureCallState("errno"));
    }

    @Override
    public void close() {
        try {
            var _ = (int) CLOSE.invokeExact(state, socket);
        } catch (Throwable impossible) {
            throw new IllegalStateException("calling close", impossible);
        } finally {
            arena.close();
        }
    }
}
