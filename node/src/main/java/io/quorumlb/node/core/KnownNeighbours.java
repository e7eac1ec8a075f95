package io.quorumlb.node.core;

import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The addresses that this node sends to itself: of members in its segments and of its next hops. Nothing that a stranger
 * sends adds one.
 *
 * @param model that the addresses were taken from; empty before the first time
 * @param byKey what is known of each
 * @param questions how many questions were asked lately
 * @param nextLook when to look at all of them again
 * @param changes how often a learned MAC address was replaced by another, since the start
 * @param edition another number whenever an address is known at another MAC address than before, or no longer, or newly
 */
record KnownNeighbours(
        Optional<Model> model,
        SortedMap<NeighbourKey, Neighbour> byKey,
        Allowance questions,
        MonotonicTime nextLook,
        long changes,
        long edition) {
    KnownNeighbours {
        byKey = Collections.unmodifiableSortedMap(byKey);
    }

    static KnownNeighbours none(MonotonicTime now) {
        return new KnownNeighbours(Optional.empty(), new TreeMap<>(), new Allowance(now), now, 0, 0);
    }

    /** Returns the MAC address to use for an address. */
    Optional<MacAddress> mac(String interfaceName, IpAddress address) {
        return Optional.ofNullable(byKey.get(new NeighbourKey(interfaceName, address)))
                .flatMap(Neighbour::mac);
    }

    /** Returns exactly these, taken from a configuration. */
    KnownNeighbours at(Model other, SortedMap<NeighbourKey, Neighbour> others) {
        return new KnownNeighbours(Optional.of(other), others, questions, nextLook, changes, edition + 1);
    }

    /** Returns the same, which would be taken from another configuration as well. */
    KnownNeighbours at(Model other) {
        return new KnownNeighbours(Optional.of(other), byKey, questions, nextLook, changes, edition);
    }

    /** Returns true if the addresses of another configuration are those that are here. */
    boolean areOf(Model other) {
        return model.filter(known -> known.segments().equals(other.segments())
                        && other.members().changedSince(known.members()).stream()
                                .allMatch(id -> place(known, id).equals(place(other, id))))
                .isPresent();
    }

    /** What decides where a member is found; of a retired one nothing does. */
    private record Place(int segment, IpAddress address, Optional<StaticMac> mac) {}

    private static Optional<Place> place(Model model, int member) {
        return Optional.ofNullable(model.members().get(member))
                .filter(it -> !it.retired())
                .map(it -> new Place(it.segmentId(), it.key().address(), it.staticMac()));
    }

    /** Returns these with the others in place of those of the same key. */
    KnownNeighbours with(SortedMap<NeighbourKey, Neighbour> others) {
        if (others.isEmpty()) {
            return this;
        }
        SortedMap<NeighbourKey, Neighbour> all = new TreeMap<>(byKey);
        all.putAll(others);
        boolean same = others.entrySet().stream()
                .allMatch(entry -> Optional.ofNullable(byKey.get(entry.getKey()))
                        .flatMap(Neighbour::mac)
                        .equals(entry.getValue().mac()));
        return new KnownNeighbours(model, all, questions, nextLook, changes, same ? edition : edition + 1);
    }

    KnownNeighbours changed() {
        return new KnownNeighbours(model, byKey, questions, nextLook, changes + 1, edition);
    }

    KnownNeighbours with(Allowance other) {
        return new KnownNeighbours(model, byKey, other, nextLook, changes, edition);
    }

    KnownNeighbours lookingAt(MonotonicTime at) {
        return new KnownNeighbours(model, byKey, questions, at, changes, edition);
    }
}
