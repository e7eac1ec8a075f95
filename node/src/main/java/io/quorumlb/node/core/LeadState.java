package io.quorumlb.node.core;

import io.quorumlb.consensus.model.IdMap;
import java.util.Optional;

/**
 * What a leader needs to remember. Every node keeps it, so that the next leader knows it at once.
 *
 * @param members by id
 * @param pools by id
 * @param lookedAt when there was a look last
 * @param basis what that look was made from; empty before the first
 * @param led since when this node leads; empty if it does not
 */
record LeadState(
        IdMap<MemberTrack> members,
        IdMap<PoolTrack> pools,
        MonotonicTime lookedAt,
        Optional<Looks.Basis> basis,
        Optional<Led> led) {
    /**
     * A time of leading.
     *
     * @param term of the log
     * @param since when this node heard of it
     */
    record Led(long term, MonotonicTime since) {}

    static LeadState initial(MonotonicTime now) {
        return new LeadState(IdMap.empty(), IdMap.empty(), now, Optional.empty(), Optional.empty());
    }

    MemberTrack member(int id, MonotonicTime now) {
        MemberTrack known = members.get(id);
        return known == null ? MemberTrack.first(now) : known;
    }

    PoolTrack pool(int id) {
        return pools.getOrDefault(id, PoolTrack.NONE);
    }

    LeadState withPool(int id, PoolTrack track) {
        return track.equals(pools.get(id)) ? this : new LeadState(members, pools.with(id, track), lookedAt, basis, led);
    }

    LeadState withMembers(IdMap<MemberTrack> other) {
        return new LeadState(other, pools, lookedAt, basis, led);
    }

    LeadState withLed(Optional<Led> other) {
        return new LeadState(members, pools, lookedAt, basis, other);
    }
}
