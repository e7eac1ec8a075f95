package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a node says about gateways.
 *
 * @param addresses its own address by name of the segment: others look there whether its data path works
 * @param answering nodes that are silent here, and whose data path answered all the same
 * @param answersFor gateway addresses that its switch is proven to answer for
 */
public record GatewayReport(
        SortedMap<String, IpAddress> addresses, SortedSet<NodeId> answering, SortedSet<IpAddress> answersFor) {
    /** Says nothing. */
    public static final GatewayReport NONE = new GatewayReport(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());

    /** Copies the collections. */
    public GatewayReport {
        addresses = Collections.unmodifiableSortedMap(new TreeMap<>(addresses));
        answering = Collections.unmodifiableSortedSet(new TreeSet<>(answering));
        answersFor = Collections.unmodifiableSortedSet(new TreeSet<>(answersFor));
    }
}
