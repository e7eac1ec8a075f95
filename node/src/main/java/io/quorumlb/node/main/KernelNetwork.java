package io.quorumlb.node.main;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.node.core.InterfaceAddress;
import io.quorumlb.node.core.NetworkView;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.neighbour.Neighbours;
import io.quorumlb.ovs.packet.NeighbourEntry;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernel's side of the node's own interfaces: addresses and neighbours. Safe from any thread. */
final class KernelNetwork implements Supplier<Optional<NetworkView>> {
    private static final Logger LOG = LoggerFactory.getLogger(KernelNetwork.class);
    private static final int MAC_BYTES = 6;

    private final SortedSet<String> interfaces;
    private final AtomicReference<String> lastProblem = new AtomicReference<>("");
    private final AtomicReference<String> lastRefusal = new AtomicReference<>("");
    private final AtomicReference<String> lastDeafness = new AtomicReference<>("");

    /**
     * Makes a reader.
     *
     * @param interfaces names of the node's interfaces; they need not exist yet
     */
    KernelNetwork(Collection<String> interfaces) {
        this.interfaces = Collections.unmodifiableSortedSet(new TreeSet<>(interfaces));
    }

    /** Returns what the kernel has now; empty if it cannot be read, which is logged once until it changes. */
    @Override
    public Optional<NetworkView> get() {
        try {
            NetworkView view = read();
            noteReading("");
            return Optional.of(view);
        } catch (SocketException | LinuxException e) {
            noteReading(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void noteReading(String problem) {
        note(
                lastProblem,
                "interfaces and neighbours can be read again",
                "interfaces and neighbours cannot be read",
                problem);
    }

    private NetworkView read() throws SocketException, LinuxException {
        var found = new TreeMap<String, InterfaceAddress>();
        var neighbours = new TreeMap<String, SortedMap<IpAddress, MacAddress>>();
        for (String name : interfaces) {
            NetworkInterface link = NetworkInterface.getByName(name);
            if (link == null) {
                continue;
            }
            address(link).ifPresent(address -> found.put(name, address));
            neighbours.put(name, Neighbours.read(name));
        }
        return new NetworkView(found, neighbours);
    }

    /** Has the kernel send to where the switch sends; a refusal is logged once until it changes. */
    void correct(NeighbourEntry entry) {
        try {
            Neighbours.write(entry);
            note(lastRefusal, "neighbours can be corrected again", "neighbours cannot be corrected", "");
        } catch (LinuxException e) {
            note(
                    lastRefusal,
                    "neighbours can be corrected again",
                    "neighbours cannot be corrected",
                    String.valueOf(e.getMessage()));
        }
    }

    private static Optional<InterfaceAddress> address(NetworkInterface link) throws SocketException {
        byte[] mac = link.getHardwareAddress();
        if (mac == null || mac.length != MAC_BYTES) {
            return Optional.empty();
        }
        var macAddress = new MacAddress(
                ByteBuffer.allocate(Long.BYTES).putShort((short) 0).put(mac).getLong(0));
        SortedSet<IpAddress> addresses =
                link.inetAddresses().map(KernelNetwork::address).collect(Collectors.toCollection(TreeSet::new));
        return addresses.stream().anyMatch(IpAddress::routable)
                ? Optional.of(new InterfaceAddress(addresses, macAddress))
                : Optional.empty();
    }

    private static IpAddress address(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet4Address
                ? new Ipv4Address(bytes.getInt())
                : new Ipv6Address(bytes.getLong(), bytes.getLong());
    }

    /** Takes what keeps the node from asking its neighbours, empty if nothing does. */
    void noteWatch(String problem) {
        note(lastDeafness, "neighbours can be asked", "neighbours cannot be asked", problem);
    }

    private static void note(AtomicReference<String> last, String good, String bad, String problem) {
        String before = last.getAndSet(problem);
        if (problem.equals(before)) {
            return;
        }
        if (problem.isEmpty()) {
            LOG.info(good);
        } else {
            LOG.warn("{} problem=\"{}\"", bad, problem);
        }
    }
}
