package io.quorumlb.node.core;

import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Pool;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * This node's own record as it was last published.
 *
 * @param content its entries
 * @param sequence of the last beat
 * @param probes of which the record speaks
 * @param pools as they were when all were last looked at
 * @param bounds greatest ages of observations as of {@code boundsAt}, by interval; an interval that came later is there as
 *     if it had been there then
 * @param boundsAt when that was
 * @param lookedAt when the ages of all observations of probes at an interval were last looked at
 * @param beat the last beat
 */
record Published(
        Document content,
        long sequence,
        IdMap<MemberProbe> probes,
        IdMap<Pool> pools,
        SortedMap<Duration, Duration> bounds,
        MonotonicTime boundsAt,
        SortedMap<Duration, MonotonicTime> lookedAt,
        Optional<HeardBeat> beat) {
    static Published nothing(long incarnation, MonotonicTime now) {
        return new Published(
                new Document(incarnation, 0, 0, Entries.NONE),
                0,
                IdMap.empty(),
                IdMap.empty(),
                new TreeMap<>(),
                now,
                new TreeMap<>(),
                Optional.empty());
    }

    /** Returns this under another incarnation; the versions go on. */
    Published livingOn(long incarnation) {
        return new Published(
                new Document(incarnation, content.version(), content.whole(), content.entries()),
                sequence,
                probes,
                pools,
                bounds,
                boundsAt,
                lookedAt,
                Optional.empty());
    }
}
