package io.quorumlb.consensus.model;

import io.quorumlb.maglev.IpAddress;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The owner of VIPs: only listeners that name it may listen on them.
 *
 * @param id 1..65535, given by the state machine
 * @param name unique among load balancers
 * @param vips one address or two of different versions of IP
 * @param service whether the nodes announce its VIPs
 * @param description an operator's words, 0..{@value #DESCRIPTION_MAX} printable characters
 * @param meta its labels, and what changed it last
 */
public record LoadBalancer(
        int id, String name, SortedSet<IpAddress> vips, Service service, String description, ObjectMeta meta)
        implements Configured {
    /** Most characters of a description. */
    public static final int DESCRIPTION_MAX = 255;

    /** Whether clients can reach a load balancer. */
    public enum Service {
        /** The nodes announce its VIPs as far as they can serve them. */
        ENABLED,
        /** No node announces its VIPs; the switches go on with what still arrives. */
        DISABLED
    }

    /** Checks name, addresses and description. */
    public LoadBalancer {
        ObjectName.require("load balancer name", name);
        vips = Collections.unmodifiableSortedSet(new TreeSet<>(vips));
        long families = vips.stream().map(IpAddress::family).distinct().count();
        if (vips.isEmpty() || families < vips.size()) {
            throw new IllegalArgumentException(
                    "load balancer %s has VIPs %s: one address, or one of each version of IP expected"
                            .formatted(name, vips));
        }
        requireDescription(description);
    }

    /**
     * Returns the description if it has the form.
     *
     * @throws IllegalArgumentException naming length and limit
     */
    public static String requireDescription(String description) {
        if (description.length() > DESCRIPTION_MAX || description.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "load balancer description of %d characters: 0..%d without control characters expected"
                            .formatted(description.length(), DESCRIPTION_MAX));
        }
        return description;
    }

    /** Returns this load balancer under the id the state machine gave. */
    public LoadBalancer withId(int given) {
        return new LoadBalancer(given, name, vips, service, description, meta);
    }

    /** Returns this load balancer in or out of service. */
    public LoadBalancer withService(Service wanted) {
        return new LoadBalancer(id, name, vips, wanted, description, meta);
    }

    /** Returns this load balancer with another description. */
    public LoadBalancer withDescription(String wanted) {
        return new LoadBalancer(id, name, vips, service, wanted, meta);
    }

    /** Returns this load balancer with other labels, or changed last by another revision. */
    public LoadBalancer withMeta(ObjectMeta wanted) {
        return new LoadBalancer(id, name, vips, service, description, wanted);
    }

    /** Returns the addresses for people, for example {@code 10.99.0.10, fd00:99::10}. */
    public String addresses() {
        return vips.stream().map(IpAddress::toString).collect(Collectors.joining(", "));
    }
}
