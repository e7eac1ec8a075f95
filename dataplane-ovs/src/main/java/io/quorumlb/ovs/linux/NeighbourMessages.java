package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one datagram of the kernel says of neighbours (rtnetlink(7)).
 *
 * @param neighbours entries that have an address and a MAC address, in order
 * @param whole false if the kernel says that its table changed while it was dumped
 * @param last true if a dump ends here, or an order was carried out
 */
record NeighbourMessages(List<KernelNeighbour> neighbours, boolean whole, boolean last) {
    NeighbourMessages {
        neighbours = List.copyOf(neighbours);
    }

    /**
     * Reads a datagram.
     *
     * @throws LinuxException with the kernel's error, or with EPROTO if lengths do not fit
     */
    static NeighbourMessages parse(MemorySegment datagram) throws LinuxException {
        List<KernelNeighbour> found = new ArrayList<>();
        boolean whole = true;
        boolean last = false;
        long offset = 0;
        while (offset + Netlink.HEADER_BYTES <= datagram.byteSize()) {
            int length = datagram.get(JAVA_INT_UNALIGNED, offset);
            if (length < Netlink.HEADER_BYTES || offset + length > datagram.byteSize()) {
                throw new LinuxException("recv of neighbours", Errno.EPROTO);
            }
            MemorySegment message = datagram.asSlice(offset, length);
            whole &= (message.get(JAVA_SHORT_UNALIGNED, 6) & Netlink.NLM_F_DUMP_INTR) == 0;
            switch (message.get(JAVA_SHORT_UNALIGNED, 4)) {
                case Netlink.NLMSG_DONE -> last = true;
                case Netlink.NLMSG_ERROR -> {
                    refuse(message);
                    last = true;
                }
                case Netlink.RTM_NEWNEIGH -> neighbour(message).ifPresent(found::add);
                default -> {
                    // Other messages name no MAC address that may be used.
                }
            }
            offset += Netlink.aligned(length);
        }
        return new NeighbourMessages(found, whole, last);
    }

    /** An error of 0 is the acknowledgement. */
    private static void refuse(MemorySegment message) throws LinuxException {
        int error = message.byteSize() < Netlink.HEADER_BYTES + 4
                ? Errno.EPROTO
                : -message.get(JAVA_INT_UNALIGNED, Netlink.HEADER_BYTES);
        if (error != 0) {
            throw new LinuxException("netlink request for neighbours", error);
        }
    }

    private static Optional<KernelNeighbour> neighbour(MemorySegment message) {
        if (message.byteSize() < Netlink.HEADER_BYTES + Netlink.NDMSG_BYTES) {
            return Optional.empty();
        }
        int interfaceIndex = message.get(JAVA_INT_UNALIGNED, Netlink.HEADER_BYTES + 4L);
        int state = Short.toUnsignedInt(message.get(JAVA_SHORT_UNALIGNED, Netlink.HEADER_BYTES + 8L));
        Optional<IpAddress> address = switch (message.get(JAVA_BYTE, Netlink.HEADER_BYTES)) {
            case Netlink.AF_INET ->
                attribute(message, Netlink.NDA_DST, Integer.BYTES)
                        .map(value -> new Ipv4Address((int) number(value, 0, Integer.BYTES)));
            case Netlink.AF_INET6 ->
                attribute(message, Netlink.NDA_DST, 2 * Long.BYTES).flatMap(NeighbourMessages::ipv6);
            default -> Optional.empty();
        };
        Optional<Long> mac = attribute(message, Netlink.NDA_LLADDR, Netlink.MAC_BYTES)
                .map(value -> number(value, 0, Netlink.MAC_BYTES));
        return address.flatMap(
                known -> mac.map(value -> new KernelNeighbour(interfaceIndex, known, value, NeighbourState.of(state))));
    }

    private static Optional<IpAddress> ipv6(MemorySegment value) {
        long high = number(value, 0, Long.BYTES);
        long low = number(value, Long.BYTES, Long.BYTES);
        // No neighbour has an IPv4-mapped address.
        return high == 0 && low >>> Integer.SIZE == 0xffff ? Optional.empty() : Optional.of(new Ipv6Address(high, low));
    }

    /** Returns the value of an attribute of exactly that many bytes. */
    private static Optional<MemorySegment> attribute(MemorySegment message, int wanted, int bytes) {
        long offset = Netlink.HEADER_BYTES + Netlink.NDMSG_BYTES;
        while (offset + Netlink.ATTRIBUTE_HEADER_BYTES <= message.byteSize()) {
            int length = Short.toUnsignedInt(message.get(JAVA_SHORT_UNALIGNED, offset));
            int type = Short.toUnsignedInt(message.get(JAVA_SHORT_UNALIGNED, offset + 2));
            if (length < Netlink.ATTRIBUTE_HEADER_BYTES || offset + length > message.byteSize()) {
                return Optional.empty();
            }
            if (type == wanted && length == Netlink.ATTRIBUTE_HEADER_BYTES + bytes) {
                return Optional.of(message.asSlice(offset + Netlink.ATTRIBUTE_HEADER_BYTES, bytes));
            }
            offset += Netlink.aligned(length);
        }
        return Optional.empty();
    }

    /** Returns bytes as a number, first byte highest. */
    private static long number(MemorySegment value, int from, int bytes) {
        long number = 0;
        for (int i = from; i < from + bytes; i++) {
            number = (number << Byte.SIZE) | Byte.toUnsignedLong(value.get(JAVA_BYTE, i));
        }
        return number;
    }
}
