package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node's word that its whole record still holds. One beat refreshes any number of entries that have not changed: who
 * holds the record up to the beat's version may take all of it as of the beat.
 *
 * @param owner who says so
 * @param incarnation grows with each start of the owner
 * @param sequence grows with each beat of one incarnation
 * @param version of the record at the beat
 * @param age time since the owner made it, in the hands of its forwarders and here
 * @param bounds greatest age of an observation at the beat, by probe interval; every interval in use is present
 * @param peers age of the last record of each other node that the owner has heard of, at the beat
 * @param readBackAge age of the owner's last good read-back of its switch, at the beat
 * @param extra what a later version added
 */
public record Beat(
        NodeId owner,
        long incarnation,
        long sequence,
        long version,
        Duration age,
        SortedMap<Duration, Duration> bounds,
        SortedMap<NodeId, Duration> peers,
        Duration readBackAge,
        OpaqueBytes extra) {
    /** Copies the maps. */
    public Beat {
        bounds = Collections.unmodifiableSortedMap(new TreeMap<>(bounds));
        peers = Collections.unmodifiableSortedMap(new TreeMap<>(peers));
    }

    /** Returns this beat with the time added to its age. */
    public Beat older(Duration time) {
        return new Beat(owner, incarnation, sequence, version, age.plus(time), bounds, peers, readBackAge, extra);
    }

    /** Returns true if this beat replaces the other one of the same owner. */
    boolean newerThan(Beat other) {
        return incarnation > other.incarnation || (incarnation == other.incarnation && sequence > other.sequence);
    }

    Stamp stamp() {
        return new Stamp(owner, incarnation, version);
    }
}
