package io.quorumlb.node.main;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.access.AccessSettings;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.ovs.install.DatapathType;
import io.quorumlb.ovs.install.PortType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an operator tells one node, checked; see {@link ConfigurationFile} for its written form.
 *
 * @param self this node, one of the cluster's
 * @param clusterId the same on all nodes
 * @param nodes control address of every node of the cluster
 * @param ports TCP ports, the same on all nodes
 * @param data directory of the replicated log
 * @param ovs the switch
 * @param dataplane how the switch is meant to be made
 * @param uplink network towards clients
 * @param segments attachment to each segment, by the segment's name
 * @param announce the announcing daemon
 * @param election how long a follower waits for its leader
 * @param access how clients may reach the API
 */
record NodeConfiguration(
        NodeId self,
        String clusterId,
        SortedMap<NodeId, Ipv4Address> nodes,
        Ports ports,
        Path data,
        Ovs ovs,
        Dataplane dataplane,
        Uplink uplink,
        SortedMap<String, Attachment> segments,
        Announce announce,
        Election election,
        AccessSettings access) {

    NodeConfiguration {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        segments = Collections.unmodifiableSortedMap(new TreeMap<>(segments));
    }

    /** TCP ports, 1..65535, pairwise different. */
    record Ports(int raft, int peer, int api, int json, int http) {
        static final Ports DEFAULT = new Ports(7401, 7402, 7400, 7403, 7480);
    }

    /**
     * The switch.
     *
     * @param bridge name of the bridge
     * @param rundir directory of Open vSwitch's sockets
     */
    record Ovs(String bridge, Path rundir) {}

    /** What forwards packets, and how it takes them from the networks; whoever makes the bridge makes it so, and the node compares. */
    record Dataplane(DatapathType datapathType, PortType portType) {
        static final Dataplane DEFAULT = new Dataplane(DatapathType.NETDEV, PortType.AF_PACKET);
    }

    /**
     * The network towards clients.
     *
     * @param attachment the switch's ports there
     * @param nextHops router that takes the replies of a version of IP; at least one
     */
    record Uplink(Attachment attachment, SortedMap<IpFamily, IpAddress> nextHops) {
        Uplink {
            nextHops = Collections.unmodifiableSortedMap(new TreeMap<>(nextHops));
        }
    }

    /**
     * The announcing daemon.
     *
     * @param birdSocket BIRD's control socket
     * @param vips file with the routes of a version of IP, included by BIRD's configuration
     * @param lease file by which the supervisor sees that the controller confirms the announcement
     */
    record Announce(Path birdSocket, SortedMap<IpFamily, Path> vips, Path lease) {
        Announce {
            vips = Collections.unmodifiableSortedMap(new TreeMap<>(vips));
        }
    }

    /** A follower waits for its leader for a time between min and max, drawn anew each time. */
    record Election(Duration min, Duration max) {
        static final Election DEFAULT = new Election(Duration.ofMillis(500), Duration.ofMillis(1000));
    }

    /** Returns this node's address in the control network. */
    Ipv4Address address() {
        return Objects.requireNonNull(nodes.get(self), "the loader has checked that the node is listed");
    }

    /**
     * Returns what the core needs to know of this.
     *
     * @param incarnation higher than at any earlier start of this node
     */
    NodeSettings settings(long incarnation) {
        return new NodeSettings(
                clusterId,
                self,
                new TreeMap<>(nodes).navigableKeySet(),
                incarnation,
                uplink.attachment(),
                uplink.nextHops(),
                segments);
    }
}
