package io.quorumlb.node.core;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a leader needs to remember. Every node keeps it, so that the next leader knows it at once.
 *
 * @param members by id
 * @param pools by id
 * @param lookedAt when all of it was last brought up to date
 * @param led since when this node leads; empty if it does not
 */
record LeadState(
        SortedMap<Integer, MemberTrack> members,
        SortedMap<Integer, PoolTrack> pools,
        MonotonicTime lookedAt,
        Optional<Led> led) {
    /**
     * A time of leading.
     *
     * @param term of the log
     * @param since when this node heard of it
     */
    record Led(long term, MonotonicTime since) {}

    /** Takes the maps as its own: with ten thousand members and hundreds of pools a copy for each pool is felt. */
    LeadState {
        members = Collections.unmodifiableSortedMap(members);
        pools = Collections.unmodifiableSortedMap(pools);
    }

    static LeadState initial(MonotonicTime now) {
        return new LeadState(new TreeMap<>(), new TreeMap<>(), now, Optional.empty());
    }

    MemberTrack member(int id, MonotonicTime now) {
        return members.getOrDefault(id, MemberTrack.first(now));
    }

    PoolTrack pool(int id) {
        return pools.getOrDefault(id, PoolTrack.NONE);
    }

    LeadState withPool(int id, PoolTrack track) {
        if (track.equals(pools.get(id))) {
            return this;
        }
        SortedMap<Integer, PoolTrack> next = new TreeMap<>(pools);
        next.put(id, track);
        return new LeadState(members, next, lookedAt, led);
    }

    LeadState withMembers(SortedMap<Integer, MemberTrack> other) {
        return new LeadState(other, pools, lookedAt, led);
    }

    LeadState withLed(Optional<Led> other) {
        return new LeadState(members, pools, lookedAt, other);
    }
}
