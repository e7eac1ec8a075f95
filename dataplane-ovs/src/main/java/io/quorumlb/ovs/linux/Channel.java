package io.quorumlb.ovs.linux;

/** A socket that {@link Channels} can wait for. */
public sealed interface Channel permits NeighbourChanges, PacketSocket {
    /** Returns the kernel's number of the socket. */
    int descriptor();
}
