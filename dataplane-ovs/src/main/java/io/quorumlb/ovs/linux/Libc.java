package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.OptionalInt;

/** The functions of the C library used here. Each throws a {@link LinuxException} where C returns -1. */
final class Libc {
    static final int POLLFD_BYTES = 8;

    private static final int MSG_DONTWAIT = 0x40;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SOCKET =
            function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SEND =
            function("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECV =
            function("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle BIND =
            function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle POLL =
            function("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle IF_NAMETOINDEX =
            function("if_nametoindex", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    /** Its third argument stands where C has any number of any type. */
    private static final MethodHandle IOCTL = function(
            "ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), Linker.Option.firstVariadicArg(2));

    private Libc() {}

    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... more) {
        MemorySegment address = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new ExceptionInInitializerError("the C library has no function " + name));
        Linker.Option[] options = Arrays.copyOf(more, more.length + 1);
        options[more.length] = Linker.Option.captureCallState("errno");
        return LINKER.downcallHandle(address, descriptor, options);
    }

    static int socket(int domain, int type, int protocol) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) SOCKET.invokeExact(state, domain, type, protocol);
            return (int) checked("socket", result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("socket", impossible);
        }
    }

    static void setsockopt(int socket, int level, int option, MemorySegment value) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) SETSOCKOPT.invokeExact(state, socket, level, option, value, (int) value.byteSize());
            var _ = checked("setsockopt", result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("setsockopt", impossible);
        }
    }

    static void send(int socket, MemorySegment bytes) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            long result = (long) SEND.invokeExact(state, socket, bytes, bytes.byteSize(), 0);
            var _ = checked("send", result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("send", impossible);
        }
    }

    static void bind(int socket, MemorySegment address) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) BIND.invokeExact(state, socket, address, (int) address.byteSize());
            var _ = checked("bind", result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("bind", impossible);
        }
    }

    /**
     * Waits until one of the sockets has something to say.
     *
     * @param sockets array of {@code struct pollfd}
     * @param timeoutMillis most time to wait
     * @return how many have; 0 also if a signal came
     */
    static int poll(MemorySegment sockets, int timeoutMillis) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) POLL.invokeExact(state, sockets, sockets.byteSize() / POLLFD_BYTES, timeoutMillis);
            if (result < 0 && (int) ERRNO.get(state, 0L) == Errno.EINTR) {
                return 0;
            }
            return (int) checked("poll", result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("poll", impossible);
        }
    }

    /** Returns the number of bytes received; empty if nothing is there now. */
    static OptionalInt recvNow(int socket, MemorySegment buffer) throws LinuxException {
        try {
            return OptionalInt.of(recv(socket, buffer, MSG_DONTWAIT));
        } catch (LinuxException failed) {
            if (failed.errno() == Errno.EAGAIN) {
                return OptionalInt.empty();
            }
            throw failed;
        }
    }

    /** Returns the number of bytes received; a call interrupted by a signal is made again. */
    static int recv(int socket, MemorySegment buffer) throws LinuxException {
        return recv(socket, buffer, 0);
    }

    private static int recv(int socket, MemorySegment buffer, int flags) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            long result;
            do {
                result = (long) RECV.invokeExact(state, socket, buffer, buffer.byteSize(), flags);
            } while (result < 0 && (int) ERRNO.get(state, 0L) == Errno.EINTR);
            return (int) checked("recv", result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("recv", impossible);
        }
    }

    static void close(int socket) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) CLOSE.invokeExact(state, socket);
            var _ = checked("close", result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("close", impossible);
        }
    }

    /** Has the kernel read and fill what the argument points to. */
    static void ioctl(int socket, long request, MemorySegment argument) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) IOCTL.invokeExact(state, socket, request, argument);
            var _ = checked("ioctl", result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("ioctl", impossible);
        }
    }

    static int ifNametoindex(String name) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) IF_NAMETOINDEX.invokeExact(state, arena.allocateFrom(name));
            return (int) checked("if_nametoindex(" + name + ")", result == 0 ? -1 : result, state);
        } catch (LinuxException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw broken("if_nametoindex", impossible);
        }
    }

    private static long checked(String call, long result, MemorySegment state) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(call, (int) ERRNO.get(state, 0L));
        }
        return result;
    }

    /** A method handle may throw anything by its type; ours throws nothing unless the code here is wrong. */
    private static IllegalStateException broken(String call, Throwable cause) {
        return new IllegalStateException("calling " + call, cause);
    }
}
