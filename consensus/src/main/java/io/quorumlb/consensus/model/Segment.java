package io.quorumlb.consensus.model;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An L2 network with members.
 *
 * @param id 1..65535, given by the state machine
 * @param name unique among segments
 * @param networks what it is for IP: one or two, of different versions, IPv4 first
 * @param meta its labels, and what changed it last
 */
public record Segment(int id, String name, List<Network> networks, ObjectMeta meta) implements Configured {
    /**
     * A segment as one version of IP sees it.
     *
     * @param prefix its network
     * @param gateways the address that each node answers for, over which members send their replies
     */
    public record Network(IpPrefix prefix, SortedMap<NodeId, IpAddress> gateways) {
        /** Checks that the gateways lie in the network and differ. */
        public Network {
            gateways = Collections.unmodifiableSortedMap(new TreeMap<>(gateways));
            gateways.forEach((node, address) -> {
                if (!prefix.contains(address)) {
                    throw new IllegalArgumentException(
                            "gateway %s of node %s is outside its segment (%s)".formatted(address, node, prefix));
                }
            });
            if (new TreeSet<>(gateways.values()).size() < gateways.size()) {
                throw new IllegalArgumentException("a gateway address of %s is given to two nodes".formatted(prefix));
            }
        }
    }

    /** Checks that there is one network of a version at least and at most. */
    public Segment {
        ObjectName.require("segment name", name);
        networks = networks.stream()
                .sorted((one, other) ->
                        one.prefix().family().compareTo(other.prefix().family()))
                .toList();
        if (networks.isEmpty()) {
            throw new IllegalArgumentException(
                    "segment %s has no network: an IPv4 prefix, an IPv6 prefix or both expected".formatted(name));
        }
        if (networks.stream()
                        .map(network -> network.prefix().family())
                        .distinct()
                        .count()
                < networks.size()) {
            throw new IllegalArgumentException(
                    "segment %s has two networks of one version of IP: %s".formatted(name, text(networks)));
        }
    }

    /** Makes a segment without labels. */
    public Segment(int id, String name, List<Network> networks) {
        this(id, name, networks, ObjectMeta.NONE);
    }

    /** Makes a segment of one version of IP. */
    public Segment(int id, String name, IpPrefix prefix, SortedMap<NodeId, ? extends IpAddress> gateways) {
        this(id, name, List.of(new Network(prefix, new TreeMap<>(gateways))));
    }

    /** Returns this segment under the id the state machine gave. */
    public Segment withId(int given) {
        return new Segment(given, name, networks, meta);
    }

    /** Returns this segment with other labels, or changed last by another revision. */
    public Segment withMeta(ObjectMeta wanted) {
        return new Segment(id, name, networks, wanted);
    }

    /** Returns the network of a version of IP, if the segment has one. */
    public Optional<Network> network(IpFamily family) {
        return networks.stream()
                .filter(network -> network.prefix().family() == family)
                .findFirst();
    }

    /** Returns true if the address lies in one of its networks. */
    public boolean contains(IpAddress address) {
        return networks.stream().anyMatch(network -> network.prefix().contains(address));
    }

    /** Returns the nodes that have gateway addresses here. */
    public SortedSet<NodeId> homes() {
        SortedSet<NodeId> homes = new TreeSet<>();
        networks.forEach(network -> homes.addAll(network.gateways().keySet()));
        return homes;
    }

    /** Returns the addresses that the node answers for at home: of each version one at most. */
    public SortedSet<IpAddress> gateways(NodeId node) {
        SortedSet<IpAddress> addresses = new TreeSet<>();
        networks.forEach(
                network -> Optional.ofNullable(network.gateways().get(node)).ifPresent(addresses::add));
        return addresses;
    }

    /** Returns the networks for people, for example {@code 10.20.0.0/24, fd00:20::/64}. */
    public String prefixes() {
        return text(networks);
    }

    private static String text(List<Network> networks) {
        return networks.stream().map(network -> network.prefix().toString()).collect(Collectors.joining(", "));
    }
}
