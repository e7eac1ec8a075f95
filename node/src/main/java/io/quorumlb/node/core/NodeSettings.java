package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a node knows before it has heard anything.
 *
 * @param clusterId the same on all nodes
 * @param self this node
 * @param voters all nodes of the cluster, this one among them
 * @param incarnation higher than at any earlier start of this node
 * @param uplink attachment towards clients
 * @param nextHops router on the uplink that takes the replies of a version of IP; at least one
 * @param segments attachments by segment name
 */
public record NodeSettings(
        String clusterId,
        NodeId self,
        SortedSet<NodeId> voters,
        long incarnation,
        Attachment uplink,
        SortedMap<IpFamily, IpAddress> nextHops,
        SortedMap<String, Attachment> segments) {
    /** Copies the collections and checks that this node is a voter. */
    public NodeSettings {
        voters = Collections.unmodifiableSortedSet(new TreeSet<>(voters));
        nextHops = Collections.unmodifiableSortedMap(new TreeMap<>(nextHops));
        segments = Collections.unmodifiableSortedMap(new TreeMap<>(segments));
        if (nextHops.isEmpty()) {
            throw new IllegalArgumentException("node '%s' has no next hop: one at least expected".formatted(self));
        }
        if (!voters.contains(self)) {
            throw new IllegalArgumentException(
                    "node '%s' is not in the cluster's node list %s".formatted(self, voters));
        }
    }

    /** Makes the settings of a node with one next hop. */
    public NodeSettings(
            String clusterId,
            NodeId self,
            SortedSet<NodeId> voters,
            long incarnation,
            Attachment uplink,
            IpAddress nextHop,
            SortedMap<String, Attachment> segments) {
        this(clusterId, self, voters, incarnation, uplink, single(nextHop), segments);
    }

    private static SortedMap<IpFamily, IpAddress> single(IpAddress nextHop) {
        SortedMap<IpFamily, IpAddress> nextHops = new TreeMap<>();
        nextHops.put(nextHop.family(), nextHop);
        return nextHops;
    }

    /** Returns how many nodes are more than half of the cluster. */
    public int majority() {
        return voters.size() / 2 + 1;
    }
}
