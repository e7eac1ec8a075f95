package io.quorumlb.ovs.neighbour;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.linux.KernelNeighbour;
import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.linux.NeighbourState;
import io.quorumlb.ovs.linux.NeighbourTable;
import io.quorumlb.ovs.linux.NetworkInterfaces;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The MAC addresses of a network, as the kernel knows them. */
public final class Neighbours {
    private Neighbours() {}

    /** How long the kernel holds on to what it is told. */
    public enum Hold {
        /** Until it learns otherwise. */
        UNTIL_LEARNED,
        /** Until it is told otherwise. */
        UNTIL_TOLD
    }

    /**
     * Returns the MAC addresses that the kernel would send to now. Entries that failed or are not resolved yet are left
     * out.
     *
     * @param interfaceName the node's own interface in the network
     * @throws LinuxException if there is no such interface or its neighbours cannot be read
     */
    public static SortedMap<IpAddress, MacAddress> read(String interfaceName) throws LinuxException {
        int index = NetworkInterfaces.index(interfaceName);
        var found = new TreeMap<IpAddress, MacAddress>();
        for (KernelNeighbour neighbour : NeighbourTable.read()) {
            if (neighbour.interfaceIndex() == index && neighbour.state().isUsable()) {
                found.put(neighbour.address(), new MacAddress(neighbour.mac()));
            }
        }
        return Collections.unmodifiableSortedMap(found);
    }

    /**
     * Makes the kernel send to this MAC address from now on.
     *
     * @param interfaceName the node's own interface in the network
     * @throws LinuxException if there is no such interface or the kernel refuses
     */
    public static void write(String interfaceName, IpAddress address, MacAddress mac, Hold hold)
            throws LinuxException {
        NeighbourState state =
                switch (hold) {
                    case UNTIL_LEARNED -> NeighbourState.REACHABLE;
                    case UNTIL_TOLD -> NeighbourState.PERMANENT;
                };
        NeighbourTable.replace(
                new KernelNeighbour(NetworkInterfaces.index(interfaceName), address, mac.value(), state));
    }
}
