package io.quorumlb.node.core;

import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.pipeline.Counted;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What this node's switch has counted, under what is configured.
 *
 * @param age time since the switch was read
 * @param listeners all, by id; also those without traffic
 * @param vips the listeners of each VIP together
 * @param members each listener with each member of its pool, by their ids; also those without traffic
 * @param drops what was dropped, by cause; causes that never occurred may be absent
 * @param echoed echo requests that the switch answered
 */
public record TrafficView(
        Duration age,
        List<OfListener> listeners,
        SortedMap<IpAddress, OfVip> vips,
        List<OfMember> members,
        List<OfDrop> drops,
        Rated echoed) {
    /** Copies the collections. */
    public TrafficView {
        vips = Collections.unmodifiableSortedMap(new TreeMap<>(vips));
        listeners = List.copyOf(listeners);
        members = List.copyOf(members);
        drops = List.copyOf(drops);
    }

    /**
     * Traffic of a listener.
     *
     * @param listener which
     * @param received what it took from clients
     * @param returned replies to clients
     */
    public record OfListener(Listener listener, Rated received, Rated returned) {}

    /**
     * Traffic of a VIP, without what its listeners did not take.
     *
     * @param received what its listeners took from clients
     * @param returned replies to clients
     */
    public record OfVip(Rated received, Rated returned) {
        OfVip plus(OfVip other) {
            return new OfVip(received.plus(other.received), returned.plus(other.returned));
        }
    }

    /**
     * Traffic between a listener and a member.
     *
     * @param listener which
     * @param member which
     * @param forwarded what went on to the member
     * @param returned replies of the member
     */
    public record OfMember(Listener listener, Member member, Rated forwarded, Rated returned) {}

    /**
     * What was dropped for one cause in one place.
     *
     * @param drop cause and place
     * @param pool name of the pool; empty if the place is not for one
     * @param member name of the member; empty if the place is not for one
     * @param dropped how much
     */
    public record OfDrop(Counted.Dropped drop, String pool, String member, Rated dropped) {}
}
