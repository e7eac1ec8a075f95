package io.quorumlb.ovs.neighbour;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.linux.KernelNeighbour;
import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.linux.NeighbourTable;
import io.quorumlb.ovs.linux.NetworkInterfaces;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The MAC addresses of a segment, as the kernel knows them. */
public final class Neighbours {
    private Neighbours() {}

    /**
     * Returns the MAC addresses that the kernel would send to now, by address. Entries that
     * failed or are not resolved yet are left out.
     *
     * @param interfaceName the node's own interface in the segment
     * @throws LinuxException if there is no such interface or its neighbours cannot be read
     */
    public static SortedMap<IpAddress, MacAddress> read(String interfaceName) throws LinuxException {
        int index = NetworkInterfaces.index(interfaceName);
        var found = new TreeMap<IpAddress, MacAddress>();
        for (KernelNeighbour neighbour : NeighbourTable.read()) {
            if (neighbour.interfaceIndex() == index && neighbour.state().isUsable()) {
                found.put(new Ipv4Address(neighbour.ipv4()), new MacAddress(neighbour.mac()));
            }
        }
        return Collections.unmodifiableSortedMap(found);
    }
}
