package io.quorumlb.ovs.neighbour;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.linux.Channel;
import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.linux.NetworkInterfaces;
import io.quorumlb.ovs.linux.PacketSocket;
import io.quorumlb.ovs.packet.ArpFrame;
import io.quorumlb.ovs.packet.NeighbourFrame;
import io.quorumlb.ovs.packet.NeighbourQuestion;
import io.quorumlb.ovs.packet.NeighbourSighting;
import io.quorumlb.ovs.packet.NeighbourSighting.Origin;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The sockets on one interface. One thread opens, reads and closes; any may send. */
final class InterfaceEar {
    private static final int FRAMES_PER_ROUND_MAX = 64;
    private static final int NO_INDEX = -1;

    private final String name;
    private int index = NO_INDEX;
    private Optional<PacketSocket> arp = Optional.empty();
    private Optional<PacketSocket> advertisements = Optional.empty();

    InterfaceEar(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Returns the kernel's number of the interface; of none while it is closed. */
    int index() {
        return index;
    }

    List<Channel> channels() {
        return Stream.of(arp, advertisements)
                .flatMap(Optional::stream)
                .map(Channel.class::cast)
                .toList();
    }

    /** Opens what is closed, anew if the interface was made anew; returns what is in the way. */
    synchronized Optional<String> open() {
        try {
            int now = NetworkInterfaces.index(name);
            if (now != index) {
                close();
            }
            if (arp.isEmpty()) {
                arp = Optional.of(PacketSocket.open(now, PacketSocket.Kind.ARP));
                advertisements = Optional.of(PacketSocket.open(now, PacketSocket.Kind.NEIGHBOUR_ADVERTISEMENT));
                index = now;
            }
            return Optional.empty();
        } catch (LinuxException e) {
            close();
            return Optional.of("neighbours on %s cannot be asked: %s".formatted(name, e.getMessage()));
        }
    }

    synchronized void send(NeighbourQuestion question) {
        Optional<PacketSocket> socket = question.target() instanceof Ipv4Address ? arp : advertisements;
        try {
            if (socket.isPresent()) {
                socket.get().send(question.frame());
            }
        } catch (LinuxException _) {
            // A full queue or an interface that is down: asked again soon, and what is in the way shows when it is
            // opened.
        }
    }

    /** Reads what has come in, up to a bound; closes a socket that complains. */
    void read(Consumer<NeighbourSighting> sightings) {
        try {
            if (arp.isPresent()) {
                read(
                        arp.get(),
                        frame -> ArpFrame.parse(frame).ifPresent(it -> see(it.sender(), it.senderMac(), sightings)));
            }
            if (advertisements.isPresent()) {
                read(
                        advertisements.get(),
                        frame -> NeighbourFrame.parse(frame).ifPresent(it -> advertised(it, sightings)));
            }
        } catch (LinuxException _) {
            // Down or gone: opened again with the next look at what is missing.
            close();
        }
    }

    private static void read(PacketSocket socket, Consumer<byte[]> frames) throws LinuxException {
        for (int i = 0; i < FRAMES_PER_ROUND_MAX; i++) {
            Optional<byte[]> frame = socket.read();
            if (frame.isEmpty()) {
                return;
            }
            frames.accept(frame.get());
        }
    }

    private void advertised(NeighbourFrame frame, Consumer<NeighbourSighting> sightings) {
        if (frame instanceof NeighbourFrame.Advertisement it) {
            it.targetMac().ifPresent(mac -> see(it.target(), mac, sightings));
        }
    }

    private void see(IpAddress address, MacAddress mac, Consumer<NeighbourSighting> sightings) {
        if (mac.isStation()) {
            sightings.accept(new NeighbourSighting(name, address, mac, Origin.NETWORK));
        }
    }

    synchronized void close() {
        Stream.of(arp, advertisements).flatMap(Optional::stream).forEach(InterfaceEar::quietly);
        arp = Optional.empty();
        advertisements = Optional.empty();
        index = NO_INDEX;
    }

    private static void quietly(PacketSocket socket) {
        try {
            socket.close();
        } catch (LinuxException _) {
            // Nothing more can be done about a socket that does not close.
        }
    }
}
