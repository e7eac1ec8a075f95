package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.Ipv4Address;
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
 * @param nextHop router on the uplink that takes replies
 * @param segments attachments by segment name
 */
public record NodeSettings(
        String clusterId,
        NodeId self,
        SortedSet<NodeId> voters,
        long incarnation,
        Attachment uplink,
        Ipv4Address nextHop,
        SortedMap<String, Attachment> segments) {
    /** Copies the collections and checks that this node is a voter. */
    public NodeSettings {
        voters = Collections.unmodifiableSortedSet(new TreeSet<>(voters));
        segments = Collections.unmodifiableSortedMap(new TreeMap<>(segments));
        if (!voters.contains(self)) {
            throw new IllegalArgumentException(
                    "node '%s' is not in the cluster's node list %s".formatted(self, voters));
        }
    }

    /** Returns how many nodes are more than half of the cluster. */
    public int majority() {
        return voters.size() / 2 + 1;
    }
}
