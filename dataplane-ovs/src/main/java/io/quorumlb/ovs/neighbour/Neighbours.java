package io.quorumlb.ovs.neighbour;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.linux.KernelNeighbour;
import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.linux.NeighbourState;
import io.quorumlb.ovs.linux.NeighbourTable;
import io.quorumlb.ovs.linux.NetworkInterfaces;
import io.quorumlb.ovs.packet.NeighbourEntry;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The MAC addresses of a network, as the kernel knows them. */
public final class Neighbours {
    private Neighbours() {}

    /**
     * Returns the MAC addresses that the kernel would send to now. Entries that failed or are not resolved yet are left
     * out, as are groups.
     *
     * @param interfaceName the node's own interface in the network
     * @throws LinuxException if there is no such interface or its neighbours cannot be read
     */
    public static SortedMap<IpAddress, MacAddress> read(String interfaceName) throws LinuxException {
        int index = NetworkInterfaces.index(interfaceName);
        var found = new TreeMap<IpAddress, MacAddress>();
        for (KernelNeighbour neighbour : NeighbourTable.read()) {
            var mac = new MacAddress(neighbour.mac());
            if (neighbour.interfaceIndex() == index && neighbour.state().isUsable() && mac.isStation()) {
                found.put(neighbour.address(), mac);
            }
        }
        return Collections.unmodifiableSortedMap(found);
    }

    /**
     * Makes the kernel send to this MAC address from now on.
     *
     * @throws LinuxException if there is no such interface or the kernel refuses
     */
    public static void write(NeighbourEntry entry) throws LinuxException {
        NeighbourState state = switch (entry.hold()) {
            case UNTIL_LEARNED -> NeighbourState.REACHABLE;
            case UNTIL_TOLD -> NeighbourState.PERMANENT;
        };
        int index = NetworkInterfaces.index(entry.interfaceName());
        NeighbourTable.replace(
                new KernelNeighbour(index, entry.address(), entry.mac().value(), state));
    }
}
