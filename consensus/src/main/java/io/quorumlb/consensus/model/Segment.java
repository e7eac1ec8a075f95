package io.quorumlb.consensus.model;

import io.quorumlb.maglev.Ipv4Address;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An L2 network with members.
 *
 * @param id 1..65535, given by the state machine
 * @param name unique among segments
 * @param prefix its network
 * @param gateways the address that each node answers for, over which members send their replies
 */
public record Segment(int id, String name, Ipv4Prefix prefix, SortedMap<NodeId, Ipv4Address> gateways) {
    /** Checks that the gateways lie in the network and differ. */
    public Segment {
        ObjectName.require("segment name", name);
        gateways = Collections.unmodifiableSortedMap(new TreeMap<>(gateways));
        gateways.forEach((node, address) -> {
            if (!prefix.contains(address)) {
                throw new IllegalArgumentException(
                        "gateway %s of node %s is outside segment %s (%s)".formatted(address, node, name, prefix));
            }
        });
        if (new TreeSet<>(gateways.values()).size() < gateways.size()) {
            throw new IllegalArgumentException("segment %s gives one gateway address to two nodes".formatted(name));
        }
    }

    /** Returns this segment under the id the state machine gave. */
    public Segment withId(int given) {
        return new Segment(given, name, prefix, gateways);
    }
}
