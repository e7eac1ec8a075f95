package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Who computes the checksums of what an interface sends (linux/ethtool.h). */
public final class TransmitChecksums {
    private static final int SOCK_DGRAM_CLOEXEC = 0x80002;
    private static final int SIOCETHTOOL = 0x8946;
    private static final int ETHTOOL_GTXCSUM = 0x16;
    private static final int ETHTOOL_VALUE_BYTES = 8;
    private static final int IFREQ_BYTES = 40;
    private static final int IFNAMSIZ = 16;
    private static final int ENODEV = 19;

    private TransmitChecksums() {}

    /**
     * Returns true if the kernel leaves them to the interface, of which a port of a virtual switch has nothing: what it is
     * handed has none.
     *
     * @param name interface name
     * @throws LinuxException if there is no such interface, or it cannot tell
     */
    public static boolean offloaded(String name) throws LinuxException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= IFNAMSIZ) {
            throw new LinuxException("ioctl of " + name, ENODEV);
        }
        int socket = Libc.socket(Netlink.AF_INET, SOCK_DGRAM_CLOEXEC, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ETHTOOL_VALUE_BYTES, 8);
            value.set(JAVA_INT, 0, ETHTOOL_GTXCSUM);
            MemorySegment request = arena.allocate(IFREQ_BYTES, 8);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, request, 0, bytes.length);
            request.set(ADDRESS, IFNAMSIZ, value);
            Libc.ioctl(socket, SIOCETHTOOL, request);
            return value.get(JAVA_INT, Integer.BYTES) != 0;
        } finally {
            Libc.close(socket);
        }
    }
}
