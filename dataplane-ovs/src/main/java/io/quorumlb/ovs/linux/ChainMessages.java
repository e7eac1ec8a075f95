package io.quorumlb.ovs.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What one datagram of the kernel says of chains (linux/netfilter/nf_tables.h).
 *
 * @param guarded interfaces that a chain of policy drop has at its ingress hook
 * @param whole false if the kernel says that its chains changed while they were dumped
 * @param last true if the dump ends here
 */
record ChainMessages(SortedSet<String> guarded, boolean whole, boolean last) {
    private static final int NFTA_CHAIN_HOOK = 4;
    private static final int NFTA_CHAIN_POLICY = 5;
    private static final int NFTA_HOOK_HOOKNUM = 1;
    private static final int NFTA_HOOK_DEV = 3;
    private static final int NFTA_HOOK_DEVS = 4;
    private static final int NFTA_DEVICE_NAME = 1;
    private static final int NF_NETDEV_INGRESS = 0;
    private static final int NF_DROP = 0;
    /** The two highest bits say how a value is made. */
    private static final int NLA_TYPE_MASK = 0x3fff;

    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    ChainMessages {
        guarded = Collections.unmodifiableSortedSet(new TreeSet<>(guarded));
    }

    private record Attribute(int type, MemorySegment value) {}

    /**
     * Reads a datagram.
     *
     * @throws LinuxException with the kernel's error, or with EPROTO if lengths do not fit
     */
    static ChainMessages parse(MemorySegment datagram) throws LinuxException {
        SortedSet<String> guarded = new TreeSet<>();
        boolean whole = true;
        boolean last = false;
        long offset = 0;
        while (offset + Netlink.HEADER_BYTES <= datagram.byteSize()) {
            int length = datagram.get(JAVA_INT_UNALIGNED, offset);
            if (length < Netlink.HEADER_BYTES || offset + length > datagram.byteSize()) {
                throw new LinuxException("recv of chains", Errno.EPROTO);
            }
            MemorySegment message = datagram.asSlice(offset, length);
            whole &= (message.get(JAVA_SHORT_UNALIGNED, 6) & Netlink.NLM_F_DUMP_INTR) == 0;
            switch (message.get(JAVA_SHORT_UNALIGNED, 4)) {
                case Netlink.NLMSG_DONE -> last = true;
                case Netlink.NLMSG_ERROR -> {
                    int error = length < Netlink.HEADER_BYTES + Integer.BYTES
                            ? Errno.EPROTO
                            : -message.get(JAVA_INT_UNALIGNED, Netlink.HEADER_BYTES);
                    throw new LinuxException("netlink request for chains", error);
                }
                case Netlink.NFT_NEWCHAIN -> guarded.addAll(guardedBy(message));
                default -> {
                    // Nothing else was asked for.
                }
            }
            offset += Netlink.aligned(length);
        }
        return new ChainMessages(guarded, whole, last);
    }

    private static List<String> guardedBy(MemorySegment message) {
        if (message.byteSize() < Netlink.HEADER_BYTES + Netlink.NFGENMSG_BYTES) {
            return List.of();
        }
        List<Attribute> chain = attributes(message.asSlice(Netlink.HEADER_BYTES + Netlink.NFGENMSG_BYTES));
        boolean drops = chain.stream()
                .anyMatch(attribute -> attribute.type() == NFTA_CHAIN_POLICY && is(attribute.value(), NF_DROP));
        List<String> names = new ArrayList<>();
        if (drops) {
            chain.stream()
                    .filter(attribute -> attribute.type() == NFTA_CHAIN_HOOK)
                    .forEach(attribute -> names.addAll(ingress(attributes(attribute.value()))));
        }
        return names;
    }

    /** A hook of one interface has its name, one of several a list of names; the kernel tells the first in both ways. */
    private static List<String> ingress(List<Attribute> hook) {
        List<String> names = new ArrayList<>();
        boolean atIngress = hook.stream()
                .anyMatch(
                        attribute -> attribute.type() == NFTA_HOOK_HOOKNUM && is(attribute.value(), NF_NETDEV_INGRESS));
        if (atIngress) {
            for (Attribute attribute : hook) {
                if (attribute.type() == NFTA_HOOK_DEV) {
                    names.add(text(attribute.value()));
                } else if (attribute.type() == NFTA_HOOK_DEVS) {
                    attributes(attribute.value()).stream()
                            .filter(device -> device.type() == NFTA_DEVICE_NAME)
                            .forEach(device -> names.add(text(device.value())));
                }
            }
        }
        return names;
    }

    /** Returns the attributes up to the first whose length does not fit. */
    private static List<Attribute> attributes(MemorySegment bytes) {
        List<Attribute> found = new ArrayList<>();
        long offset = 0;
        while (offset + Netlink.ATTRIBUTE_HEADER_BYTES <= bytes.byteSize()) {
            int length = Short.toUnsignedInt(bytes.get(JAVA_SHORT_UNALIGNED, offset));
            int type = Short.toUnsignedInt(bytes.get(JAVA_SHORT_UNALIGNED, offset + 2)) & NLA_TYPE_MASK;
            if (length < Netlink.ATTRIBUTE_HEADER_BYTES || offset + length > bytes.byteSize()) {
                return found;
            }
            found.add(new Attribute(
                    type,
                    bytes.asSlice(offset + Netlink.ATTRIBUTE_HEADER_BYTES, length - Netlink.ATTRIBUTE_HEADER_BYTES)));
            offset += Netlink.aligned(length);
        }
        return found;
    }

    private static boolean is(MemorySegment value, int number) {
        return value.byteSize() == Integer.BYTES && value.get(NETWORK_INT, 0) == number;
    }

    private static String text(MemorySegment value) {
        byte[] bytes = value.toArray(JAVA_BYTE);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
